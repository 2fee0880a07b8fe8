"""One head after the other; returns a list."""

import torch
from torch import nn


def scaled_dot_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.transpose(-1, -2)) / q.size(-1) ** 0.5
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
        parts = [w.weight.chunk(self.heads) for w in (self.W_Q, self.W_K, self.W_V)]
        outs, weights = [], []
        for a, b, c in zip(*parts):
            o, w = scaled_dot_attention(x @ a.T, memory @ b.T, memory @ c.T, mask)
            outs.append(o)
            weights.append(w)
        return [torch.cat(outs, -1), torch.stack(weights, 1)]
