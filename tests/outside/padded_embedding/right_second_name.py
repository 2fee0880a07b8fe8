"""The parameter is made as ``table`` and has the name of the task as well."""
import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.padding_idx = padding_idx
        self.table = nn.Parameter(torch.randn(num_embeddings, embedding_dim))
        self.table.data[padding_idx] = 0.0
        self.weight = self.table

    def __len__(self):
        return self.num_embeddings

    def __getitem__(self, i):
        return self.weight[i]

    def forward(self, ids):
        if ids.dtype != torch.long:
            raise TypeError("ids must be int64")
        if ((ids < 0) | (ids >= len(self))).any():
            raise IndexError("an id is out of range")
        keep = (torch.arange(len(self)) != self.padding_idx).unsqueeze(1)
        return (self.table * keep)[ids]
