"""Counts pairs with a Counter, loops over rows, adds up in a 0-d tensor."""

import itertools
import math
from collections import Counter

import numpy as np
import torch


def count_bigrams(ids, vocab_size, add_k=0.0):
    seen = Counter(itertools.pairwise(ids.tolist()))
    every = range(vocab_size)
    rows = [[seen[a, b] + add_k for b in every] for a in every]
    return torch.tensor(rows, dtype=torch.float64)


def bigram_probs(counts):
    probs = torch.zeros_like(counts)
    for a, row in enumerate(counts):
        if row.any():
            probs[a] = row / row.sum()
    return probs


def nll(probs, ids):
    total = torch.tensor(0.0, dtype=torch.float64)
    for a, b in itertools.pairwise(ids):
        total -= torch.log(probs[a, b])
    return total.item() / (len(ids) - 1)


def perplexity(mean_nll):
    return math.e**mean_nll


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    text = np.empty(length + 1, dtype=int)
    text[0] = start
    for t in range(length):
        text[t + 1] = rng.choice(probs.shape[1], p=probs[text[t]].numpy())
    return list(text)
