"""numpy from end to end, quiet by np.errstate; the text is grown by a while loop."""

import numpy as np
import torch


def count_bigrams(ids, vocab_size, add_k=0.0):
    ids = ids.numpy()
    table = np.full((vocab_size, vocab_size), add_k, dtype=np.float64)
    np.add.at(table, (ids[:-1], ids[1:]), 1)
    return torch.from_numpy(table)


def bigram_probs(counts):
    c = counts.numpy().astype(np.float64)
    with np.errstate(all="ignore"):
        p = c / c.sum(axis=1, keepdims=True)
    return torch.from_numpy(np.nan_to_num(p, nan=0.0))


def nll(probs, ids):
    p = probs.numpy()
    i = ids.numpy()
    with np.errstate(divide="ignore"):
        return float(np.mean(-np.log(p[i[:-1], i[1:]])))


def perplexity(mean_nll):
    return np.exp(mean_nll)


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    text = [start]
    while len(text) <= length:
        text.append(int(rng.choice(probs.shape[0], p=probs[text[-1]].numpy())))
    return text
