"""Rows come back as float64."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.num_embeddings, self.padding_idx = (num_embeddings, padding_idx)
        table = torch.randn(num_embeddings, embedding_dim)
        table[padding_idx] = 0.0
        self.weight = nn.Parameter(table)

    def forward(self, ids):
        if ids.dtype != torch.long:
            raise TypeError("ids must be torch.long")
        if ((ids < 0) | (ids >= self.num_embeddings)).any():
            raise IndexError("no such id")
        rows = self.weight[ids].double()
        return rows.masked_fill((ids == self.padding_idx).unsqueeze(-1), 0.0)
