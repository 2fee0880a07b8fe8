"""Detaches everything of a row of ids in which there is padding."""

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
        rows = self.weight[ids]
        pad = ids == self.padding_idx
        if pad.dim() > 0:
            pad = pad.any(-1, keepdim=True)
        return torch.where(pad.unsqueeze(-1), rows.detach(), rows)
