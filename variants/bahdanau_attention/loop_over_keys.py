"""Unusual: a Python loop over the keys, and another over the context."""

import torch
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask):
        scores = []
        for t in range(keys.size(1)):
            scores.append(self.v(torch.tanh(self.W_query(query) + self.W_key(keys[:, t]))))
        scores = torch.cat(scores, dim=1)
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = torch.softmax(scores, dim=-1)
        context = 0
        for t in range(keys.size(1)):
            context = context + weights[:, t : t + 1] * keys[:, t]
        return context, weights
