"""Blocks as an axis of their own, by einsum; 中文变量名。"""

import torch


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    隐藏 = c.shape[-1]
    输入权重 = w_ih.reshape(4, 隐藏, -1)
    状态权重 = w_hh.reshape(4, 隐藏, 隐藏)
    偏置 = (b_ih + b_hh).reshape(4, 1, 隐藏)
    门 = torch.einsum("bd,khd->kbh", x, 输入权重)
    门 = 门 + torch.einsum("bj,khj->kbh", h, 状态权重) + 偏置
    输入门, 遗忘门, 输出门 = torch.sigmoid(门[[0, 1, 3]])
    新细胞 = torch.addcmul(遗忘门 * c, 输入门, torch.tanh(门[2]))
    return 输出门 * 新细胞.tanh(), 新细胞


def lstm_param_count(input_size: int, hidden_size: int) -> int:
    return (input_size + hidden_size + 2) * hidden_size << 2
