"""Unusual: clips by hand without a small constant, over the optimizer's groups."""

import math

import torch


def detach_hidden(hidden):
    match hidden:
        case None:
            return None
        case torch.Tensor():
            return hidden.data
        case _:
            return type(hidden)(map(detach_hidden, hidden))


def _clip(optimizer, max_norm):
    grads = [
        p.grad
        for group in optimizer.param_groups
        for p in group["params"]
        if p.grad is not None
    ]
    norm = math.sqrt(sum(float((g.double() ** 2).sum()) for g in grads))
    if norm > max_norm:
        for g in grads:
            g *= max_norm / norm


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    if chunk_len < 1:
        raise ValueError("chunk_len")
    losses, hidden = [], None
    for k in range(math.ceil(inputs.size(1) / chunk_len)):
        part = slice(k * chunk_len, (k + 1) * chunk_len)
        output, hidden = model(inputs[:, part], hidden)
        loss = criterion(output, targets[:, part])
        model.zero_grad()
        loss.backward()
        if max_norm is not None:
            _clip(optimizer, max_norm)
        optimizer.step()
        hidden = detach_hidden(hidden)
        losses.append(loss.item())
    return losses
