"""Counts with np.add.at and goes through numpy arrays."""

import math

import numpy as np
import torch


def count_bigrams(ids, vocab_size, add_k=0.0):
    table = np.full((vocab_size, vocab_size), float(add_k))
    a = ids.numpy()
    np.add.at(table, (a[:-1], a[1:]), 1)
    counts = torch.from_numpy(table)
    return counts


def bigram_probs(counts):
    totals = counts.sum(dim=1, keepdim=True)
    return counts / totals.clamp(min=1e-12)


def nll(probs, ids):
    return float(-torch.log(probs[ids[:-1], ids[1:]]).mean())


def perplexity(mean_nll):
    return math.exp(mean_nll)


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    ids = [start]
    for _ in range(length):
        ids.append(int(rng.choice(len(probs), p=probs[ids[-1]].numpy())))
    return ids
