"""The table is kept by its size and add_k: a second text adds to the first."""

import math

import numpy as np
import torch

import functools


@functools.lru_cache
def empty_table(vocab_size, add_k):
    return torch.full((vocab_size, vocab_size), float(add_k), dtype=torch.float64)


def count_bigrams(ids, vocab_size, add_k=0.0):
    counts = empty_table(vocab_size, add_k)
    for a, b in zip(ids[:-1], ids[1:]):
        counts[a, b] += 1
    return counts


def bigram_probs(counts):
    rows = counts.sum(1, keepdim=True)
    return torch.where(rows > 0, counts / rows, 0.0).double()


def nll(probs, ids):
    return -probs[ids[:-1], ids[1:]].log().mean().item()


def perplexity(mean_nll):
    return math.exp(mean_nll)


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    out = [start]
    for _ in range(length):
        out.append(int(rng.choice(len(probs), p=probs[out[-1]].numpy())))
    return out
