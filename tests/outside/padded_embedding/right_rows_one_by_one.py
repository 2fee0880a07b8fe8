"""Recursion over the shape, NumPy for the first draw, rows stacked one by one."""

import numpy as np
import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.padding_idx = padding_idx
        draw = np.random.default_rng().standard_normal((num_embeddings, embedding_dim))
        draw[padding_idx] = 0.0
        self.weight = nn.Parameter(torch.from_numpy(draw).float())

    def forward(self, ids):
        if ids.dtype != torch.int64:
            raise TypeError("ids")
        return self._look_up(ids)

    def _look_up(self, ids):
        if ids.dim() == 0:
            i = int(ids)
            if not 0 <= i < self.num_embeddings:
                raise IndexError(i)
            row = self.weight[i]
            return row.detach() if i == self.padding_idx else row
        if ids.size(0) == 0:
            return self.weight.new_zeros(*ids.shape, self.weight.size(1))
        return torch.stack([self._look_up(part) for part in ids])
