"""V is the greatest id of this text plus one, whatever vocab_size says."""

import math

import numpy as np
import torch


def count_bigrams(ids, vocab_size, add_k=0.0):
    V = int(ids.max()) + 1
    flat = torch.bincount(ids[:-1] * V + ids[1:], minlength=V * V)
    return flat.view(V, V).double() + add_k


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
