"""tanh from its exponentials: inf over inf for large sums."""

import torch
import torch.nn.functional as F
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask):
        # start
        hidden = self.W_query(query).unsqueeze(1) + self.W_key(keys)
        up, down = hidden.exp(), (-hidden).exp()
        hidden = (up - down) / (up + down)
        scores = self.v(hidden).squeeze(-1)
        if mask is not None:
            # mask
            scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores, -1)
        context = torch.bmm(weights.unsqueeze(1), keys).squeeze(1)
        return context, weights
