"""Pairs are stacked: a text of a single symbol has none, and raises."""

import numpy as np
import torch


def count_bigrams(ids, vocab_size, add_k=0.0):
    counts = torch.full((vocab_size, vocab_size), add_k, dtype=torch.float64)
    pairs = torch.stack([torch.stack([a, b]) for a, b in zip(ids[:-1], ids[1:])])
    for a, b in pairs:
        counts[a, b] += 1
    return counts


def bigram_probs(counts):
    counts = counts.double()
    totals = counts.sum(dim=1, keepdim=True)
    return counts / totals.where(totals > 0, torch.ones_like(totals))


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
