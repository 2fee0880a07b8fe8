"""torch.where between the rows and the rows without their graph."""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings: int, embedding_dim: int, padding_idx: int):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.padding_idx = padding_idx
        keep = torch.ones(num_embeddings, 1)
        keep[padding_idx] = 0.0
        self.weight = nn.Parameter(keep * torch.randn(num_embeddings, embedding_dim))

    def forward(self, ids):
        self._refuse(ids)
        rows = self.weight[ids]
        is_pad = ids.eq(self.padding_idx)[..., None]
        return torch.where(is_pad, rows.detach(), rows)

    def _refuse(self, ids):
        if ids.dtype != torch.long:
            raise TypeError(ids.dtype)
        for bad in (ids < 0, ids > self.num_embeddings - 1):
            if bool(bad.any()):
                raise IndexError(ids[bad][0].item())
