"""The root of the head size is a buffer of the module."""
import math

import torch
from torch import nn


def scaled_dot_attention(q, k, v, mask=None):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    w = s.softmax(-1)
    return w @ v, w


def split_heads(x, heads):
    B, T, D = x.shape
    return x.view(B, T, heads, D // heads).transpose(1, 2)


def merge_heads(x):
    B, h, T, d = x.shape
    return x.transpose(1, 2).reshape(B, T, h * d)


class ProjectedAttention(nn.Module):
    def __init__(self, dim, heads=1):
        super().__init__()
        self.heads = heads
        self.W_Q = nn.Linear(dim, dim, bias=False)
        self.W_K = nn.Linear(dim, dim, bias=False)
        self.W_V = nn.Linear(dim, dim, bias=False)
        self.register_buffer("root", torch.tensor(math.sqrt(dim // heads)))

    def forward(self, x, memory, mask=None):
        q = split_heads(self.W_Q(x), self.heads)
        k = split_heads(self.W_K(memory), self.heads)
        v = split_heads(self.W_V(memory), self.heads)
        s = torch.einsum("bhqd,bhkd->bhqk", q, k) / self.root
        if mask is not None:
            s = s.masked_fill(mask[:, None], -1e9)
        w = torch.softmax(s, -1)
        return merge_heads(w @ v), w
