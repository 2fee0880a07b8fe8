"""Keeps the plain lookup and clears the gradient in a hook."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.padding_idx = padding_idx
        self.weight = nn.Parameter(torch.randn(num_embeddings, embedding_dim))
        with torch.no_grad():
            self.weight[padding_idx].fill_(0)
        self.weight.register_hook(self._clear)

    def _clear(self, grad):
        grad = grad.clone()
        grad[self.padding_idx] = 0
        return grad

    def forward(self, ids):
        if ids.dtype != torch.int64:
            raise TypeError("ids must be int64")
        if ids.numel() > 0 and (ids.min() < 0 or ids.max() >= len(self.weight)):
            raise IndexError("id out of range")
        return self.weight[ids]
