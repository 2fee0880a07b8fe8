"""Recursion over the leading sizes; a matrix of each at the bottom."""

import math

import torch
from torch import nn


def _one(q, k, v, mask):
    scores = torch.mm(q, k.t()) / math.sqrt(q.size(1))
    scores = scores.masked_fill(mask, -math.inf)
    weights = torch.exp(scores - torch.logsumexp(scores, dim=1, keepdim=True))
    return torch.mm(weights, v), weights


def _any(q, k, v, mask):
    if q.dim() == 2:
        return _one(q, k, v, mask)
    parts = [_any(*four) for four in zip(q, k, v, mask, strict=True)]
    outputs, weights = zip(*parts, strict=True)
    return torch.stack(outputs), torch.stack(weights)


def scaled_dot_attention(q, k, v, mask=None):
    full = (*q.shape[:-1], k.size(-2))
    if mask is None:
        mask = torch.zeros(full, dtype=torch.bool)
    return _any(q, k, v, mask.expand(full))


def split_heads(x, heads):
    size = x.size(-1) // heads
    return x.unfold(-1, size, size).movedim(2, 1)


def merge_heads(x):
    return x.movedim(1, 2).reshape(x.size(0), x.size(2), -1)


class ProjectedAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.W_Q = nn.Linear(dim, dim, bias=False)
        self.W_K = nn.Linear(dim, dim, bias=False)
        self.W_V = nn.Linear(dim, dim, bias=False)

    def forward(self, x, memory, mask=None):
        parts = []
        for layer, t in [(self.W_Q, x), (self.W_K, memory), (self.W_V, memory)]:
            parts.append(split_heads(layer(t), self.heads))
        if mask is not None:
            mask = torch.stack([mask] * self.heads, dim=1)
        out, weights = scaled_dot_attention(*parts, mask=mask)
        return merge_heads(out), weights
