"""Unpacks ids.shape into B and T: a single id or a row of them breaks off."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.padding_idx = padding_idx
        self.weight = nn.Parameter(torch.randn(num_embeddings, embedding_dim))
        with torch.no_grad():
            self.weight[padding_idx] = 0

    def forward(self, ids):
        if ids.dtype != torch.int64:
            raise TypeError("ids must be int64")
        if (ids < 0).any() or (ids >= self.num_embeddings).any():
            raise IndexError("id")
        batch, steps = ids.shape
        rows = self.weight.index_select(0, ids.reshape(-1))
        rows = rows.view(batch, steps, -1)
        return rows.masked_fill((ids == self.padding_idx)[:, :, None], 0.0)
