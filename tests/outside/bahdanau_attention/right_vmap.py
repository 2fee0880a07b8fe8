"""One sample's attention, mapped over the batch."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.func import vmap


class Projection(nn.Linear):
    """A Linear without bias."""

    def __init__(self, n_in: int, n_out: int) -> None:
        super().__init__(n_in, n_out, bias=False)


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, attn_dim: int) -> None:
        super().__init__()
        self.W_query = Projection(query_dim, attn_dim)
        self.W_key = Projection(key_dim, attn_dim)
        self.v = Projection(attn_dim, 1)

    def _one(self, q: Tensor, k: Tensor, gone: Tensor) -> tuple[Tensor, Tensor]:
        s = self.v(torch.tanh(self.W_key(k) + self.W_query(q)))[:, 0]
        s = torch.where(gone, torch.finfo(s.dtype).min, s)
        w = s.softmax(0)
        return w @ k, w

    def forward(
        self, query: Tensor, keys: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        if mask is None:
            mask = torch.zeros(keys.shape[:2], dtype=torch.bool)
        return vmap(self._one)(query, keys, mask)
