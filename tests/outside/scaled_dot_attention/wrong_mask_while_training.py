"""The layer uses its mask while training alone."""

import math
import torch
from torch import nn


def scaled_dot_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v, weights)


def split_heads(x, heads):
    B, T, _ = x.shape
    return x.reshape(B, T, heads, -1).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)


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
            mask = mask.unsqueeze(1) if self.training else None
        output, weights = scaled_dot_attention(q, k, v, mask)
        return (merge_heads(output), weights)
