"""Makes one layer serve both where the sizes allow it."""

import torch
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        if query_dim == key_dim:
            self.W_key = self.W_query
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask):
        hidden = torch.tanh(self.W_query(query).unsqueeze(1) + self.W_key(keys))
        scores = self.v(hidden).squeeze(-1)
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = torch.softmax(scores, dim=-1)
        context = torch.bmm(weights.unsqueeze(1), keys).squeeze(1)
        return context, weights
