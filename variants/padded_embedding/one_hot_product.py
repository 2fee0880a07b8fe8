"""Multiplies one-hot vectors with a masked table."""

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
        rows = torch.ones(len(self.weight), 1)
        rows[self.padding_idx] = 0
        flat = torch.nn.functional.one_hot(ids.flatten(), len(self.weight))
        got = flat.to(self.weight.dtype) @ (self.weight * rows)
        return got.reshape(*ids.shape, self.weight.shape[1])
