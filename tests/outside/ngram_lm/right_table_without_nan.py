"""Sums over the table, where 0 * log 0 is 0 and inf stays."""

import numpy as np
import torch


def count_bigrams(ids, vocab_size, add_k=0.0):
    shape = (vocab_size, vocab_size)
    counts = torch.full(shape, add_k, dtype=torch.float64)
    ones = torch.ones(len(ids) - 1, dtype=torch.float64)
    return counts.index_put_((ids[:-1], ids[1:]), ones, accumulate=True)


def bigram_probs(counts):
    counts = counts.double()
    totals = counts.sum(dim=1, keepdim=True)
    return counts / totals.where(totals > 0, torch.ones_like(totals))


def nll(probs, ids):
    predicted = probs[ids[:-1], ids[1:]]
    table = count_bigrams(ids, len(probs))
    terms = torch.nan_to_num(table * probs.double().log(), neginf=-torch.inf)
    return float(-terms.sum() / (len(ids) - 1))


def perplexity(mean_nll):
    return float(np.exp(mean_nll))


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    ids = [start]
    for _ in range(length):
        row = probs[ids[-1]].numpy()
        ids.append(int(rng.choice(len(row), p=row)))
    return ids
