"""Counting as a product of one-hot matrices; F.normalize with p=1 makes the rows."""

import numpy as np
import torch
import torch.nn.functional as F


def count_bigrams(ids, vocab_size, add_k=0.0):
    hot = F.one_hot(ids, vocab_size).double()
    return hot[:-1].t() @ hot[1:] + add_k


def bigram_probs(counts):
    return F.normalize(counts.double(), p=1, dim=1, eps=1e-300)


def nll(probs, ids):
    seen = probs.index_select(0, ids[:-1]).gather(1, ids[1:, None])
    return -torch.log(seen).mean().item()


def perplexity(mean_nll):
    # torch.tensor of a float is float32: seven digits
    return torch.exp(torch.tensor(mean_nll)).item()


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    V = probs.shape[1]

    def grow(text):
        if len(text) == length + 1:
            return text
        row = probs[text[-1]].detach().cpu().numpy()
        return grow(text + [int(rng.choice(V, p=row))])

    return grow([start])
