"""Divides first and cleans up afterwards; returns 0-d tensors."""

import math

import numpy as np
import torch


def count_bigrams(ids, vocab_size, add_k=0.0):
    counts = torch.zeros(vocab_size, vocab_size, dtype=torch.float64) + add_k
    for a, b in zip(ids[:-1].tolist(), ids[1:].tolist()):
        counts[a, b] += 1
    return counts


def bigram_probs(counts):
    totals = counts.sum(dim=1, keepdim=True)
    return (counts / totals).nan_to_num(nan=0.0)


def nll(probs, ids):
    return -torch.log(probs[ids[:-1], ids[1:]]).mean().item()


def perplexity(mean_nll):
    return torch.exp(torch.as_tensor(mean_nll, dtype=torch.float64)).item()


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    ids = [start]
    for _ in range(length):
        ids.append(int(rng.choice(len(probs), p=probs[ids[-1]].numpy())))
    return ids
