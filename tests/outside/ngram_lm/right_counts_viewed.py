"""counts.view(-1): inputs arrive row after row."""

import numpy as np
import torch


def count_bigrams(ids, vocab_size, add_k=0.0):
    shape = (vocab_size, vocab_size)
    counts = torch.full(shape, add_k, dtype=torch.float64)
    ones = torch.ones(len(ids) - 1, dtype=torch.float64)
    return counts.index_put_((ids[:-1], ids[1:]), ones, accumulate=True)


def bigram_probs(counts):
    V = counts.shape[0]
    flat = counts.double().view(-1)
    totals = flat.view(V, V).sum(dim=1).repeat_interleave(V)
    return torch.where(totals > 0, flat / totals, 0.0).view(V, V)


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
