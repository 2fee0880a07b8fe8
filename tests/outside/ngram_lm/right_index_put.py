"""index_put_ that accumulates, the empty row mended by dividing through 1."""

import numpy as np
import torch


def count_bigrams(ids: torch.Tensor, vocab_size: int, add_k: float = 0.0):
    C = torch.zeros(vocab_size, vocab_size, dtype=torch.float64)
    C.index_put_((ids[:-1], ids[1:]), torch.tensor(1.0).double(), accumulate=True)
    return C.add_(add_k)


def bigram_probs(counts):
    n = counts.sum(1, keepdim=True).double()
    n[n == 0] = 1
    return counts / n


def nll(probs, ids):
    total, n = 0.0, 0
    with np.errstate(divide="ignore"):
        for a, b in ids.unfold(0, 2, 1):
            total -= np.log(probs[a, b].numpy())
            n += 1
    return float(total / n)


def perplexity(mean_nll):
    return float(np.exp(np.float64(mean_nll)))


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    text = np.empty(length + 1, dtype=int)
    text[0] = start
    for t in range(length):
        text[t + 1] = rng.choice(probs.shape[0], p=probs[text[t]].numpy())
    return text.tolist()
