"""Each pair is one number a*V + b; bincount does the counting, F.nll_loss the mean."""

import math

import numpy as np
import torch
import torch.nn.functional as F


def count_bigrams(ids, vocab_size, add_k=0.0):
    V = vocab_size
    flat = torch.bincount(ids[:-1] * V + ids[1:], minlength=V * V)
    return flat.reshape(V, V).to(torch.float64) + add_k


def bigram_probs(counts):
    counts = counts.double()
    total = counts.sum(1)
    inverse = torch.where(total > 0, 1 / total, torch.zeros_like(total))
    return torch.diag(inverse) @ counts


def nll(probs, ids):
    return F.nll_loss(probs.log()[ids[:-1]], ids[1:]).item()


def perplexity(mean_nll):
    return math.e**mean_nll


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    V = len(probs)
    table = probs.tolist()
    out = [int(start)]
    for _ in range(length):
        out += [int(rng.choice(V, p=table[out[-1]]))]
    return out
