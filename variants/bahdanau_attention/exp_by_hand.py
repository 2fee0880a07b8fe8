"""Unusual: exponentials by hand; a sample of padding gets zeros."""

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
        keep = torch.ones_like(scores) if mask is None else (~mask).to(scores.dtype)
        filled = scores if mask is None else scores.masked_fill(mask, -1e9)
        kept = torch.exp(filled - filled.max(dim=1, keepdim=True).values) * keep
        weights = kept / (kept.sum(dim=1, keepdim=True) + 1e-12)
        context = torch.matmul(weights[:, None, :], keys)[:, 0]
        return context, weights
