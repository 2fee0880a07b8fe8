"""Unusual: helpers outside the class, a default mask, Chinese names."""

import torch
from torch import nn


def 打分(层, 查询, 键):
    # 先相加，再 tanh，最后与 v 相乘
    return (层.v.weight[0] * torch.tanh(层.W_query(查询)[:, None, :] + 层.W_key(键))).sum(-1)


def 读取(分数, 键, 掩码):
    权重 = 分数.masked_fill(掩码, -1e9).softmax(-1)
    return (权重.unsqueeze(-1) * 键).sum(-2), 权重


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask=None):
        分数 = 打分(self, query, keys)
        if mask is None:
            mask = torch.zeros(分数.shape, dtype=torch.bool)
        return 读取(分数, keys, mask)
