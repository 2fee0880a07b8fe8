"""A buffer of ones and a zero stands beside weight in the state dict."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        keep = torch.ones(num_embeddings, 1)
        keep[padding_idx] = 0
        self.register_buffer("keep", keep)
        self.weight = nn.Parameter(keep * torch.randn(num_embeddings, embedding_dim))

    def forward(self, ids):
        if ids.dtype is not torch.int64:
            raise TypeError(f"{ids.dtype} is no int64")
        for i in ids.flatten().tolist():
            if i not in range(len(self.keep)):
                raise IndexError(i)
        return (self.weight * self.keep)[ids]
