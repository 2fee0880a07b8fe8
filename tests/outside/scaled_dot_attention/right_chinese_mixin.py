"""中文命名；投影放在父类里，q 与 k 各除以 d 的四次方根。"""

import torch
from torch import nn


def scaled_dot_attention(q, k, v, mask=None):
    四次方根 = q.size(-1) ** 0.25
    分数 = (q / 四次方根) @ (k / 四次方根).transpose(-1, -2)
    if mask is not None:
        # 加上 -inf 或 0
        偏置 = torch.zeros(mask.shape, dtype=分数.dtype)
        分数 = 分数 + 偏置.masked_fill(mask, float("-inf"))
    权重 = nn.functional.softmax(分数, dim=-1)
    return 权重 @ v, 权重


def split_heads(x, heads):
    批, 长, 宽 = x.size()
    return x.view(批, 长, heads, 宽 // heads).swapaxes(1, 2)


def merge_heads(x):
    批, 头, 长, 宽 = x.size()
    结果 = x.new_empty(批, 长, 头 * 宽)
    for h in range(头):
        结果[:, :, h * 宽 : (h + 1) * 宽] = x[:, h]
    return 结果


class 投影(nn.Module):
    def __init__(self, 维数):
        super().__init__()
        self.W_Q = nn.Linear(维数, 维数, bias=False)
        self.W_K = nn.Linear(维数, 维数, bias=False)
        self.W_V = nn.Linear(维数, 维数, bias=False)


class ProjectedAttention(投影):
    def __init__(self, dim, heads):
        super().__init__(dim)
        self.heads = heads

    def forward(self, x, memory, mask=None):
        查询 = split_heads(self.W_Q(x), self.heads)
        键, 值 = (split_heads(层(memory), self.heads) for 层 in (self.W_K, self.W_V))
        if mask is not None:
            mask = mask.reshape(mask.size(0), 1, *mask.shape[1:])
        输出, 权重 = scaled_dot_attention(查询, 键, 值, mask)
        return merge_heads(输出), 权重
