"""All leading sizes flattened into one, bmm, and put back."""

import torch
from torch import nn


def scaled_dot_attention(q, k, v, mask=None):
    lead = q.shape[:-2]
    tq, tk = q.shape[-2], k.shape[-2]
    q, k, v = (t.reshape(-1, *t.shape[-2:]) for t in (q, k, v))
    scores = torch.bmm(q, k.permute(0, 2, 1)) / float(q.shape[-1]) ** 0.5
    if mask is not None:
        mask = mask.expand(*lead, tq, tk).reshape(-1, tq, tk)
        scores = scores.masked_fill(mask, -1e9)
    weights = torch.softmax(scores, 2)
    output = torch.bmm(weights, v)
    return output.reshape(*lead, tq, -1), weights.reshape(*lead, tq, tk)


def split_heads(x, heads):
    b, t, width = x.shape
    return x.reshape(b, t, heads, width // heads).transpose(1, 2).contiguous()


def merge_heads(x):
    b, h, t, d = x.shape
    return x.transpose(1, 2).contiguous().view(b, t, h * d)


class ProjectedAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.W_Q, self.W_K, self.W_V = (nn.Linear(dim, dim, bias=False) for _ in "qkv")

    def forward(self, x, memory, mask=None):
        q = split_heads(self.W_Q(x), self.heads)
        k = split_heads(self.W_K(memory), self.heads)
        v = split_heads(self.W_V(memory), self.heads)
        if mask is not None:
            mask = mask.unsqueeze(1).expand(-1, self.heads, -1, -1)
        output, weights = scaled_dot_attention(q, k, v, mask)
        return merge_heads(output), weights
