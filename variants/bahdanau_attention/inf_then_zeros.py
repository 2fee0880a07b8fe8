"""Unusual: minus infinity, NaN of full rows turned into zeros at once."""

import torch
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask):
        hidden = torch.tanh(self.W_query(query).unsqueeze(1) + self.W_key(keys))
        scores = self.v(hidden).squeeze(-1)
        if mask is None:
            mask = torch.zeros_like(scores, dtype=torch.bool)
        weights = torch.nan_to_num(torch.softmax(scores.masked_fill(mask, float('-inf')), dim=1))
        context = (weights[..., None] * keys).sum(dim=1)
        return context, weights
