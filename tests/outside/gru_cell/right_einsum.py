"""Blocks as an axis, einsum, and the switch by torch.where. 中文变量名。"""

import torch


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    H = h.shape[1]
    输入 = torch.einsum("bd,khd->kbh", x, w_ih.view(3, H, -1)) + b_ih.view(3, 1, H)
    权重, 偏置 = w_hh.view(3, H, H), b_hh.view(3, H)
    状态 = torch.einsum("bj,khj->kbh", h, 权重[:2]) + 偏置[:2, None]
    重置, 更新 = torch.sigmoid(输入[:2] + 状态)
    先 = torch.einsum("bj,hj->bh", 重置 * h, 权重[2]) + 偏置[2]
    后 = 重置 * (torch.einsum("bj,hj->bh", h, 权重[2]) + 偏置[2])
    候选 = torch.tanh(输入[2] + torch.where(torch.tensor(reset_after), 后, 先))
    return (1 - 更新) * h + 更新 * 候选


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    H = w_hh.shape[-1]
    结果 = []
    for 张量 in (w_ih, w_hh, b_ih, b_hh):
        新 = 张量.detach().clone()
        新[H : 2 * H] *= -1
        结果.append(新)
    return 结果


def gru_param_count(input_size, hidden_size):
    return sum(3 * hidden_size * n for n in (input_size, hidden_size, 1, 1))
