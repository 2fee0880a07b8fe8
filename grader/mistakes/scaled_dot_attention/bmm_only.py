"""Flattens every leading size but mixes up four axes."""

import torch
from torch import nn


def scaled_dot_attention(q, k, v, mask=None):
    scores = torch.bmm(q, k.transpose(-1, -2)) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights


def split_heads(x, heads):
    B, T, D = x.shape
    return x.view(B, T, heads, D // heads).transpose(1, 2)


def merge_heads(x):
    B, heads, T, d = x.shape
    return x.transpose(1, 2).reshape(B, T, heads * d)


class ProjectedAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.W_Q = nn.Linear(dim, dim, bias=False)
        self.W_K = nn.Linear(dim, dim, bias=False)
        self.W_V = nn.Linear(dim, dim, bias=False)

    def forward(self, x, memory, mask=None):
        q = split_heads(self.W_Q(x), self.heads)
        k = split_heads(self.W_K(memory), self.heads)
        v = split_heads(self.W_V(memory), self.heads)
        if mask is not None:
            mask = mask[:, None]
        out, weights = scaled_dot_attention(q, k, v, mask)
        return merge_heads(out), weights
