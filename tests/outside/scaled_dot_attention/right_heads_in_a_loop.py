"""Each head on its own slice of the features; nothing is transposed."""

import math

import torch
from torch import nn


def scaled_dot_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.mT).div(math.sqrt(k.size(-1)))
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    scores = scores - scores.amax(-1, keepdim=True)
    top = scores.exp()
    weights = top / top.sum(-1, keepdim=True)
    return weights.matmul(v), weights


def split_heads(x, heads):
    return torch.stack(x.chunk(heads, dim=-1), dim=1)


def merge_heads(x):
    return torch.cat([head for head in x.unbind(1)], dim=-1)


class ProjectedAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.W_V = nn.Linear(dim, dim, bias=False)
        self.W_K = nn.Linear(dim, dim, bias=False)
        self.W_Q = nn.Linear(dim, dim, bias=False)
        for layer in self.children():
            nn.init.xavier_uniform_(layer.weight)

    def forward(self, x, memory, mask=None):
        size = x.shape[-1] // self.heads
        outputs, weights = [], []
        for h in range(self.heads):
            own = slice(h * size, (h + 1) * size)
            q = x @ self.W_Q.weight[own].T
            k = memory @ self.W_K.weight[own].T
            v = memory @ self.W_V.weight[own].T
            o, w = scaled_dot_attention(q, k, v, mask)
            outputs.append(o)
            weights.append(w)
        return torch.cat(outputs, dim=-1), torch.stack(weights, dim=1)
