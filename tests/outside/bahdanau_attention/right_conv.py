"""Keys projected by a convolution of width 1; only valid keys are ever scored.

每个样本只给有效位置打分，再把权重放回去。
"""
import torch
import torch.nn.functional as F
from torch import nn


def scatter_back(values, where, n):
    return torch.zeros(n, dtype=values.dtype).scatter(0, where, values)


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask):
        kernel = self.W_key.weight[:, :, None]
        proj = F.conv1d(keys.transpose(1, 2), kernel)  # B, Da, T
        hidden = torch.tanh(proj + self.W_query(query)[..., None])
        scores = F.conv1d(hidden, self.v.weight[:, :, None])[:, 0]
        if mask is None:
            weights = scores.softmax(-1)
        else:
            rows = []
            for s, m in zip(scores, mask):
                where = torch.nonzero(~m)[:, 0]
                rows.append(scatter_back(s[where].softmax(0), where, len(s)))
            weights = torch.stack(rows)
        return (weights.unsqueeze(-1) * keys).sum(1), weights
