"""中文数据类保存概率；雅可比先写外积，再在对角线上加 p。"""

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class 概率:
    值: torch.Tensor

    @property
    def 雅可比(self):
        负外积 = -(self.值[..., :, None] * self.值[..., None, :])
        结果 = 负外积.clone()
        结果.diagonal(dim1=-2, dim2=-1).add_(self.值)
        return 结果

    def 反传(self, 梯度):
        平均 = (self.值 * 梯度).sum(-1, True)
        return self.值.mul(梯度.sub(平均))


def softmax_jacobian(p):
    return 概率(p).雅可比


def softmax_backward(p, grad):
    return 概率(p).反传(grad)


def soft_lookup(scores, values, temperature=1.0):
    if not (temperature > 0):
        raise ValueError("温度必须为正数")
    权重 = (scores / temperature).softmax(-1)
    return torch.squeeze(权重[..., None, :] @ values, -2), 权重
