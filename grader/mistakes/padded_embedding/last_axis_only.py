"""Joins all ids into one row."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.padding_idx = padding_idx
        self.weight = nn.Parameter(torch.randn(num_embeddings, embedding_dim))
        with torch.no_grad():
            self.weight[padding_idx].fill_(0)

    def forward(self, ids):
        if ids.dtype != torch.int64:
            raise TypeError("ids must be int64")
        if ids.numel() > 0 and (ids.min() < 0 or ids.max() >= len(self.weight)):
            raise IndexError("id out of range")
        keep = (ids != self.padding_idx).unsqueeze(-1)
        return (self.weight[ids] * keep).reshape(-1, self.weight.shape[1])
