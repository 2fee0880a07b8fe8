"""Scores are clamped to +-5 before the softmax."""

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
        scores = self.v(torch.tanh(hidden))[..., 0].clamp(-5, 5)
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = scores.softmax(1)
        return torch.einsum("bt,btd->bd", weights, keys), weights
