"""The context is divided by the share of keys that are valid."""

import torch
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask):
        hidden = self.W_query(query)[:, None] + self.W_key(keys)
        scores = self.v(torch.tanh(hidden))[..., 0]
        share = torch.ones_like(scores[:, :1])
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
            share = (~mask).to(scores.dtype).mean(1, keepdim=True).clamp(min=1e-9)
        weights = scores.softmax(1)
        return torch.einsum("bt,btd->bd", weights, keys) / share, weights
