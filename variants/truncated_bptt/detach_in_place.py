"""Unusual: detach_ in place, as some textbooks do, and .grad set to None by hand."""

import torch
from torch import nn


def detach_hidden(hidden):
    if hidden is None:
        return None
    elif isinstance(hidden, torch.Tensor):
        hidden.detach_()
    else:
        for part in hidden:
            detach_hidden(part)
    return hidden


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    if not chunk_len >= 1:
        raise ValueError("a chunk needs a step")
    T, begin, hidden, losses = inputs.shape[1], 0, None, []
    while begin < T:
        end = min(begin + chunk_len, T)
        hidden = detach_hidden(hidden)
        out, hidden = model(inputs[:, begin:end, :], hidden)
        loss = criterion(out, targets[:, begin:end, ...])
        for p in model.parameters():
            p.grad = None
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(
            model.parameters(), float("inf") if max_norm is None else max_norm
        )
        losses.append(loss.detach().numpy().item())
        optimizer.step()
        begin = end
    return losses
