"""A row that sums to less than 1e-6 is taken for an empty one."""

import numpy as np
import torch


def count_bigrams(ids, vocab_size, add_k=0.0):
    shape = (vocab_size, vocab_size)
    counts = torch.full(shape, add_k, dtype=torch.float64)
    ones = torch.ones(len(ids) - 1, dtype=torch.float64)
    return counts.index_put_((ids[:-1], ids[1:]), ones, accumulate=True)


def bigram_probs(counts):
    totals = counts.sum(1, keepdim=True)
    return torch.where(totals > 1e-06, counts / totals.clamp(min=1e-300), 0.0).double()


def nll(probs, ids):
    predicted = probs[ids[:-1], ids[1:]]
    return float(-predicted.log().mean())


def perplexity(mean_nll):
    return float(np.exp(mean_nll))


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    ids = [start]
    for _ in range(length):
        row = probs[ids[-1]].numpy()
        ids.append(int(rng.choice(len(row), p=row)))
    return ids
