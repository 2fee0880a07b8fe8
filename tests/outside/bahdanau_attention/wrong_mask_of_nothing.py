"""Masked keys are written one by one; with none of them there is nothing to stack."""

import torch
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask=None):
        e = self.v(torch.tanh(self.W_query(query)[:, None] + self.W_key(keys)))[..., 0]
        if mask is not None:
            rows, columns = torch.stack([place for place in mask.nonzero()]).T
            e = e.index_put((rows, columns), torch.tensor(-1e9, dtype=e.dtype))
        a = e.softmax(-1)
        return (a[..., None] * keys).sum(1), a
