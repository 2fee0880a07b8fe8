import torch
import torch.nn as nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim)
        self.W_key = nn.Linear(key_dim, attn_dim)
        self.v = nn.Linear(attn_dim, 1)

    def forward(self, query, keys, mask):
        scores = self.v(torch.tanh(self.W_query(query)[:, None] + self.W_key(keys))).squeeze()
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        w = torch.softmax(scores, -1)
        return torch.bmm(w.unsqueeze(1), keys).squeeze(1), w
