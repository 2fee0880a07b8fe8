"""einsum with an ellipsis; the module cuts its heads with unflatten."""

import torch
from torch import nn


def scaled_dot_attention(q, k, v, mask=None):
    s = torch.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        s = torch.where(mask, torch.finfo(s.dtype).min, s)
    w = s.softmax(-1)
    return torch.einsum("...qk,...kv->...qv", w, v), w


def split_heads(x, heads):
    return x.unflatten(-1, (heads, -1)).permute(0, 2, 1, 3)


def merge_heads(x):
    return torch.einsum("bhtd->bthd", x).flatten(-2)


class ProjectedAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        for name in ("W_Q", "W_K", "W_V"):
            setattr(self, name, nn.Linear(dim, dim, bias=False))

    def forward(self, x, memory, mask=None):
        q, k, v = (
            split_heads(layer(source), self.heads)
            for layer, source in ((self.W_Q, x), (self.W_K, memory), (self.W_V, memory))
        )
        out, w = scaled_dot_attention(q, k, v, None if mask is None else mask[:, None])
        return merge_heads(out), w
