import torch
from torch import nn


class BahdanauAttention(nn.Module):
    """加性注意力"""

    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)

    def forward(self, query, keys, mask=None):
        # 查询要扩展一维，才能和每个时间步相加
        h = torch.tanh(self.W_query(query)[:, None, :] + self.W_key(keys))
        e = self.v(h)[..., 0]
        if mask is not None:
            e = e.masked_fill(mask, torch.finfo(e.dtype).min)
        a = e.softmax(-1)
        return torch.einsum("bt,btd->bd", a, keys), a
