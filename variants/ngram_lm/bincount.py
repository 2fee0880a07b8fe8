"""Counts with one bincount over flat cells; float32 counts."""

import math

import numpy as np
import torch


def count_bigrams(ids, vocab_size, add_k=0.0):
    flat = ids[:-1] * vocab_size + ids[1:]
    counts = torch.bincount(flat, minlength=vocab_size**2)
    counts = counts.reshape(vocab_size, vocab_size) + float(add_k)
    counts = counts.double()
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
