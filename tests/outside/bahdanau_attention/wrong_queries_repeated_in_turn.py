"""repeat() where repeat_interleave() is meant: a key meets other rows' queries."""

import torch
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask):
        B, T, _ = keys.shape
        q = query.repeat(T, 1).view(B, T, -1)
        scores = self.v(torch.tanh(self.W_query(q) + self.W_key(keys))).squeeze(-1)
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = torch.softmax(scores, -1)
        return torch.bmm(weights.unsqueeze(1), keys).squeeze(1), weights
