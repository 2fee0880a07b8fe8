"""v.weight.squeeze() is no vector where Da is 1."""

import torch
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask):
        projected = self.W_query(query).unsqueeze(1) + self.W_key(keys)
        scores = torch.tanh(projected) @ self.v.weight.squeeze()
        if mask is not None:
            scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores, dim=-1)
        context = (weights.unsqueeze(1) @ keys).squeeze(1)
        return (context, weights)
