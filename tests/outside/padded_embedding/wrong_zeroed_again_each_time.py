"""Sets the row to zero before each lookup: its gradient is still there."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.padding_idx = padding_idx
        self.weight = nn.Parameter(torch.randn(num_embeddings, embedding_dim))
        self._clean()

    @torch.no_grad()
    def _clean(self):
        self.weight[self.padding_idx] = 0

    def forward(self, ids):
        if ids.dtype != torch.int64:
            raise TypeError("ids must be int64")
        if (ids < 0).any() or (ids >= self.num_embeddings).any():
            raise IndexError("id")
        self._clean()
        return self.weight[ids]
