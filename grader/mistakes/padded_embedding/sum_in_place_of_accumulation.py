"""Divides the gradient of a row by the number of its places."""

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
        rows = self.weight[ids] * keep
        if not ids.numel():
            return rows
        often = torch.bincount(ids.flatten(), minlength=len(self.weight))[ids]
        often = often.unsqueeze(-1)
        return rows / often + (rows - rows / often).detach()
