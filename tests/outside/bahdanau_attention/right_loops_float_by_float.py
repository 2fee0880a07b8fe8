"""Loops over the batch and the keys; weights read from the layers."""
import torch
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        for name, size in (("W_query", query_dim), ("W_key", key_dim)):
            setattr(self, name, nn.Linear(size, attn_dim, bias=False))
        self.v = nn.Linear(attn_dim, 1, False)

    def score(self, q, k):
        inner = self.W_query.weight @ q + self.W_key.weight.mv(k)
        return torch.dot(self.v.weight[0], inner.tanh())

    def forward(self, query, keys, mask):
        contexts, weights = [], []
        for b in range(query.shape[0]):
            s = torch.stack([self.score(query[b], k) for k in keys[b]])
            if mask is not None:
                s = s.masked_fill(mask[b], -1e9)
            w = torch.softmax(s, 0)
            contexts.append(sum(w_j * k_j for w_j, k_j in zip(w, keys[b])))
            weights.append(w)
        return torch.stack(contexts), torch.stack(weights)
