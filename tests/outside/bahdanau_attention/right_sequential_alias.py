"""W_key is reached through a Sequential too; dropout of 0, softmax and tanh are modules."""
import torch
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim, dropout=0.0):
        super().__init__()
        self.score = nn.Sequential(nn.Tanh(), nn.Linear(attn_dim, 1, bias=False), nn.Flatten(1))
        self.v = self.score[1]
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.softmax = nn.Softmax(dim=1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, keys, mask):
        s = self.score(self.W_query(query)[:, None] + self.W_key(keys))
        if mask is not None:
            s = s.masked_fill(mask, -1e9)
        w = self.dropout(self.softmax(s))
        return torch.einsum("bt,btd->bd", w, keys), w
