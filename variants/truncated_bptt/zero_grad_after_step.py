"""Unusual: clears the gradients after each step, and before the first."""

import torch
from torch import nn


def detach_hidden(hidden):
    """切断历史，数值不变。"""
    if hidden is None or isinstance(hidden, (list, tuple)):
        return hidden and tuple(detach_hidden(h) for h in hidden)
    with torch.no_grad():
        return hidden.clone()


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    if int(chunk_len) < 1:
        raise ValueError("块长必须为正")
    隐状态 = None
    损失 = []
    optimizer.zero_grad()
    for t in range(0, inputs.size(1), chunk_len):
        输出, 隐状态 = model(inputs[:, t : t + chunk_len], detach_hidden(隐状态))
        l = criterion(输出, targets[:, t : t + chunk_len])
        l.backward()
        if max_norm is not None:
            nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
        optimizer.step()
        optimizer.zero_grad()
        损失.append(l.item())
    return 损失
