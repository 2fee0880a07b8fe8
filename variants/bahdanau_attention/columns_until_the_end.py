"""Unusual: keeps scores and weights as columns (B, Tk, 1) until it returns."""

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
        hidden = torch.tanh(self.W_query(query).unsqueeze(1) + self.W_key(keys))
        scores = self.v(hidden)
        if mask is not None:
            scores = torch.where(mask[..., None], torch.finfo(scores.dtype).min, scores)
        weights = F.softmax(scores, dim=1)
        context = torch.matmul(keys.transpose(1, 2), weights)
        return context.flatten(1), weights.flatten(1)
