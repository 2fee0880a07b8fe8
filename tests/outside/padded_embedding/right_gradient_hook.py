"""A hook on the parameter zeroes the padding row of every gradient."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.padding_idx = padding_idx
        self.weight = nn.Parameter(torch.zeros(num_embeddings, embedding_dim))
        nn.init.normal_(self.weight)
        self.weight.data[padding_idx].fill_(0)
        self.weight.register_hook(self._without_padding)

    def _without_padding(self, grad):
        grad = grad.clone()
        grad[self.padding_idx] = 0
        return grad

    def forward(self, ids):
        if ids.dtype != torch.int64:
            raise TypeError("please give torch.long ids")
        if torch.any(ids < 0) or torch.any(ids >= self.num_embeddings):
            raise IndexError("no such row")
        return self.weight[ids]
