"""assert refuses: an AssertionError is neither TypeError nor IndexError."""

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
        assert ids.dtype == torch.int64, "ids must be int64"
        assert ((ids >= 0) & (ids < self.num_embeddings)).all(), "id out of range"
        keep = (ids != self.padding_idx).unsqueeze(-1)
        return self.weight[ids] * keep
