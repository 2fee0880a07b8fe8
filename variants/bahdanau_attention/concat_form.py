"""Unusual: one product with the query and a key side by side."""

import torch
from torch import nn
from torch.nn import functional as F


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask):
        B, Tk, _ = keys.shape
        both = torch.cat([query.unsqueeze(1).expand(B, Tk, -1), keys], dim=-1)
        W = torch.cat([self.W_query.weight, self.W_key.weight], dim=1)
        scores = F.linear(torch.tanh(F.linear(both, W)), self.v.weight).reshape(B, Tk)
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = torch.softmax(scores, dim=-1)
        context = torch.bmm(weights.unsqueeze(1), keys).squeeze(1)
        return context, weights
