"""Rows by index_select, padding removed by a product, the check by min and max."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx=0):
        super().__init__()
        self.padding_idx = padding_idx
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim))
        nn.init.normal_(self.weight)
        self.weight.data[padding_idx].zero_()

    def forward(self, ids):
        if ids.dtype is not torch.int64:
            raise TypeError("an id is an int64")
        if ids.numel() and not 0 <= ids.min() <= ids.max() < len(self.weight):
            raise IndexError("an id is not in the table")
        rows = self.weight.index_select(0, ids.flatten())
        real = (ids.flatten() != self.padding_idx).to(rows.dtype)
        return (rows * real[:, None]).reshape(*ids.shape, rows.shape[1])
