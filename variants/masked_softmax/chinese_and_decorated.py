"""Unusual: 中文标识符、装饰器、模块级打印，类型标注；结果一样。"""

from __future__ import annotations

import functools

import torch
import torch.nn.functional as F

print("载入 masked_softmax")


def 记录(函数):
    @functools.wraps(函数)
    def 包装(*args, **kwargs):
        return 函数(*args, **kwargs)

    return 包装


@记录
def masked_softmax(scores: torch.Tensor, mask: torch.Tensor | None, dim: int = -1):
    最小值 = torch.finfo(scores.dtype).min
    分数 = scores if mask is None else scores.masked_fill(mask.to(torch.bool), 最小值)
    return F.softmax(分数, dim=dim)


if __name__ == "__main__":
    print(masked_softmax(torch.zeros(2, 3), None))
