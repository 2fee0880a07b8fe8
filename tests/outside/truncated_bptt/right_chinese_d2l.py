# 按 d2l 的习惯写：detach_ 原地切断；梯度在 step 之后清零
import torch
from torch import nn


def detach_hidden(hidden):
    if hidden is None:
        return None
    if isinstance(hidden, (tuple, list)):
        for h in hidden:
            detach_hidden(h)
    else:
        hidden.detach_()
    return hidden


def train_truncated_bptt(model, inputs, targets, criterion, optimizer,
                         chunk_len, max_norm=None):
    if chunk_len < 1: raise ValueError('chunk_len 必须 >= 1')
    损失 = []
    状态 = None
    optimizer.zero_grad()
    for 起 in range(0, inputs.shape[1], chunk_len):
        止 = 起 + chunk_len
        if 状态 is not None:
            状态 = detach_hidden(状态)
        y_hat, 状态 = model(inputs[:, 起:止], 状态)
        l = criterion(y_hat, targets[:, 起:止])
        l.backward()
        if not max_norm is None:
            nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        损失.append(l.detach().cpu().numpy().item())
        optimizer.step()
        for p in model.parameters(): p.grad = None
    return 损失
