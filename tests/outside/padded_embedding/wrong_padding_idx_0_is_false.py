"""`if padding_idx:` leaves row 0 as drawn when padding has the id 0."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.padding_idx = padding_idx
        weight = torch.randn(num_embeddings, embedding_dim)
        if padding_idx:
            weight[padding_idx] = 0
        self.weight = nn.Parameter(weight)

    def forward(self, ids):
        if ids.dtype != torch.int64:
            raise TypeError("ids must be int64")
        if (ids < 0).any() or (ids >= self.num_embeddings).any():
            raise IndexError("id")
        rows = self.weight[ids]
        pad = (ids == self.padding_idx).unsqueeze(-1)
        return torch.where(pad, rows.detach(), rows)
