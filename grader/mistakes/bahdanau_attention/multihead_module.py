"""Hands everything to nn.MultiheadAttention."""

import torch
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)
        self.inner = nn.MultiheadAttention(attn_dim, 1, batch_first=True)

    def forward(self, query, keys, mask):
        q, k = self.W_query(query).unsqueeze(1), self.W_key(keys)
        _, weights = self.inner(q, k, k, key_padding_mask=mask)
        weights = weights.squeeze(1)
        context = torch.bmm(weights.unsqueeze(1), keys).squeeze(1)
        return context, weights
