"""One-hot rows times the matrix, its padding row taken out of the graph."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.padding_idx = padding_idx
        table = torch.randn(num_embeddings, embedding_dim)
        table[padding_idx] = 0
        self.weight = nn.Parameter(table)

    def forward(self, ids):
        if ids.dtype is not torch.long:
            raise TypeError("ids must be torch.long")
        if ids.numel() and (ids.min() < 0 or ids.max() >= self.num_embeddings):
            raise IndexError("id out of range")
        every = torch.arange(self.num_embeddings)
        hot = (ids.unsqueeze(-1) == every) & (every != self.padding_idx)
        return hot.to(self.weight.dtype) @ self.weight
