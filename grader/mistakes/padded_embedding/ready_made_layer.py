"""Wraps nn.Embedding."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.padding_idx = padding_idx
        layer = nn.Embedding(num_embeddings, embedding_dim, padding_idx)
        self.layer = layer
        self.weight = layer.weight

    def forward(self, ids):
        if ids.dtype != torch.int64:
            raise TypeError("ids must be int64")
        if ids.numel() > 0 and (ids.min() < 0 or ids.max() >= len(self.weight)):
            raise IndexError("id out of range")
        keep = (ids != self.padding_idx).unsqueeze(-1)
        return self.layer(ids)
