"""Einsum all the way, softmax by hand, tanh from a sigmoid; a dict of results inside."""

import torch
from torch import nn

einsum = torch.einsum


class _Base(nn.Module):
    def attend(self, scores, keep):
        top = scores.masked_fill(~keep, -torch.inf).amax(1, keepdim=True)
        top = top.masked_fill(top == -torch.inf, 0.0).detach()
        e = scores.masked_fill(~keep, -torch.inf).sub(top).exp()
        z = e.sum(1, keepdim=True)
        return e / (z + (z == 0))


class BahdanauAttention(_Base):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.add_module("W_query", nn.Linear(query_dim, attn_dim, bias=False))
        self.add_module("W_key", nn.Linear(key_dim, attn_dim, bias=False))
        self.add_module("v", nn.Linear(attn_dim, 1, bias=False))

    def forward(self, query, keys, mask=None):
        x = einsum("ad,bd->ba", self.W_query.weight, query)[:, None]
        x = x + einsum("ad,btd->bta", self.W_key.weight, keys)
        scores = einsum("oa,bta->bt", self.v.weight, 2 * torch.sigmoid(2 * x) - 1)
        keep = torch.ones_like(scores, dtype=torch.bool) if mask is None else ~mask
        weights = self.attend(scores, keep)
        out = {"context": einsum("bt,btd->bd", weights, keys), "weights": weights}
        return out["context"], out["weights"]
