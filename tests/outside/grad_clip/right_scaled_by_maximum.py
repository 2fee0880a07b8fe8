"""中文类名；先除以最大元素再平方，避免溢出。"""

from dataclasses import dataclass

import torch


@dataclass
class 梯度组:
    列表: list

    def 范数(self):
        有效 = [g for g in self.列表 if g is not None and g.numel() > 0]
        if not 有效:
            return torch.tensor(0.0)
        最大 = torch.stack([g.abs().max() for g in 有效]).max()
        if 最大 == 0 or not torch.isfinite(最大):
            return 最大
        平方和 = sum(((g / 最大) ** 2).sum() for g in 有效)
        return 最大 * 平方和.sqrt()

    def 缩放(self, 系数):
        for g in self.列表:
            if g is not None:
                g.mul_(系数)


def global_norm(grads):
    return 梯度组(list(grads)).范数()


def clip_gradients(model, max_norm):
    组 = 梯度组([参数.grad for 参数 in model.parameters()])
    范数 = 组.范数()
    if not bool(torch.isfinite(范数)):
        raise ValueError("梯度范数不是有限数")
    if 范数 > max_norm:
        组.缩放(max_norm / 范数)
    return 范数
