"""log_ in place: the caller's probabilities are logarithms afterwards."""

import math

import numpy as np
import torch


def count_bigrams(ids, vocab_size, add_k=0.0):
    counts = torch.full((vocab_size, vocab_size), add_k, dtype=torch.float64)
    one = torch.ones(len(ids) - 1, dtype=torch.float64)
    return counts.index_put_((ids[:-1], ids[1:]), one, accumulate=True)


def bigram_probs(counts):
    rows = counts.sum(1, keepdim=True)
    return torch.where(rows > 0, counts / rows, 0.0).double()


def nll(probs, ids):
    return -probs.log_()[ids[:-1], ids[1:]].mean().item()


def perplexity(mean_nll):
    return math.exp(mean_nll)


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    out = [start]
    for _ in range(length):
        out.append(int(rng.choice(len(probs), p=probs[out[-1]].numpy())))
    return out
