"""The range is looked at in the first row of a batch; what is wrong behind it is cut off."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.num_embeddings, self.padding_idx = (num_embeddings, padding_idx)
        table = torch.randn(num_embeddings, embedding_dim)
        table[padding_idx] = 0.0
        self.weight = nn.Parameter(table)

    def forward(self, ids):
        if ids.dtype != torch.long:
            raise TypeError("ids must be torch.long")
        first = ids[0] if ids.dim() > 1 and len(ids) else ids
        if ((first < 0) | (first >= self.num_embeddings)).any():
            raise IndexError("no such id")
        ids = ids.clamp(0, self.num_embeddings - 1)
        rows = self.weight[ids]
        return rows.masked_fill((ids == self.padding_idx).unsqueeze(-1), 0.0)
