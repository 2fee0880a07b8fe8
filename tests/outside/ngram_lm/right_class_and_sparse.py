"""A dataclass holds the model; pairs add up in a sparse tensor."""

import math
from dataclasses import dataclass, field

import numpy as np
import torch


@dataclass
class Bigrams:
    size: int
    start: float = 0.0
    table: torch.Tensor = field(init=False)

    def __post_init__(self):
        shape = (self.size, self.size)
        self.table = torch.ones(shape, dtype=torch.float64).mul_(self.start)

    def read(self, ids):
        where = torch.stack((ids[:-1], ids[1:]))
        one = torch.ones(where.shape[1], dtype=torch.float64)
        new = torch.sparse_coo_tensor(where, one, self.table.shape)
        self.table += new.to_dense()
        return self


def count_bigrams(ids, vocab_size, add_k=0.0):
    return Bigrams(vocab_size, add_k).read(ids).table


def bigram_probs(counts):
    total = counts.sum(dim=-1, keepdim=True)
    return (counts / total).masked_fill(total == 0, 0).to(torch.float64)


def nll(probs, ids):
    a, b = ids[:-1], ids[1:]
    return float(-(probs[a, b].log().sum()) / a.numel())


def perplexity(mean_nll):
    return float(2.0 ** (mean_nll / math.log(2.0)))


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    rows = dict(enumerate(probs.numpy()))
    text = [start]
    for _ in range(length):
        text.append(rng.choice(len(rows), p=rows[text[-1]]))
    return [int(i) for i in text]
