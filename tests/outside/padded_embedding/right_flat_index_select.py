"""中文命名；展平后 index_select，再用 0/1 乘掉填充位置。"""

import torch
from torch import nn


def 检查(编号, 行数):
    if 编号.dtype != torch.int64:
        raise TypeError("编号必须是 int64")
    平 = 编号.reshape(-1).tolist()
    越界 = [i for i in 平 if i < 0 or i >= 行数]
    if 越界:
        raise IndexError(f"编号越界：{越界[:3]}")


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.padding_idx = padding_idx
        权重 = torch.normal(0.0, 1.0, size=(num_embeddings, embedding_dim))
        权重.index_fill_(0, torch.tensor([padding_idx]), 0.0)
        self.register_parameter("weight", nn.Parameter(权重))

    def forward(self, ids):
        检查(ids, self.num_embeddings)
        行 = torch.index_select(self.weight, 0, ids.reshape(-1))
        非填充 = (ids.reshape(-1, 1) != self.padding_idx).to(行.dtype)
        return (行 * 非填充).reshape(*ids.shape, -1) if ids.numel() else 行.reshape(
            *ids.shape, self.weight.size(1)
        )
