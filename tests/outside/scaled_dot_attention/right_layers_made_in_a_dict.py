"""The three layers are made in a ModuleDict and given their names afterwards."""
import torch
from torch import nn


def scaled_dot_attention(q, k, v, mask=None):
    s = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(mask, -1e9)
    w = nn.functional.softmax(s, -1)
    return torch.einsum("...ij,...jd->...id", w, v), w


def split_heads(x, heads):
    return x.reshape(x.shape[0], x.shape[1], heads, -1).permute(0, 2, 1, 3)


def merge_heads(x):
    return x.permute(0, 2, 1, 3).flatten(2)


class ProjectedAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.proj = nn.ModuleDict({n: nn.Linear(dim, dim, bias=False) for n in "QKV"})
        self.W_Q, self.W_K, self.W_V = self.proj["Q"], self.proj["K"], self.proj["V"]

    def forward(self, x, memory, mask=None):
        given = {"Q": x, "K": memory, "V": memory}
        q, k, v = (split_heads(layer(given[n]), self.heads) for n, layer in self.proj.items())
        out, w = scaled_dot_attention(q, k, v, mask if mask is None else mask[:, None])
        return merge_heads(out), w
