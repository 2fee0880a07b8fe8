# -*- coding: utf-8 -*-
"""中文变量名；整行被遮住时返回全零。"""
import torch
import torch.nn.functional as F


def masked_softmax(scores, mask, dim=-1):
    # 没有掩码就是普通的 softmax
    if mask is None:
        return F.softmax(scores, dim)
    遮挡 = torch.broadcast_to(mask, scores.size())
    整行 = torch.all(遮挡, dim, True)          # 这一行一个有效位置都没有
    负无穷 = torch.tensor(float('-inf'), dtype=scores.dtype)
    # 整行被遮住时先换成 0，避免 0/0
    分数 = torch.where(整行, torch.zeros_like(scores), torch.where(遮挡, 负无穷, scores))
    return F.softmax(分数, dim).masked_fill(整行, 0.)
