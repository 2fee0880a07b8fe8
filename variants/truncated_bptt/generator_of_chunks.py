"""Unusual: a generator of chunks, autograd.grad instead of backward, a tuple of losses as list."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn


def detach_hidden(hidden):
    if isinstance(hidden, Tensor):
        return hidden.detach()
    if hidden is None:
        return hidden
    return tuple([detach_hidden(h) for h in hidden])


def chunks(n: int, *tensors: Tensor) -> Iterator[tuple[Tensor, ...]]:
    T = tensors[0].size(1)
    start = 0
    while start < T:
        yield tuple(t.narrow(1, start, min(n, T - start)) for t in tensors)
        start += n


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    if chunk_len < 1:
        raise ValueError(f"chunk_len={chunk_len}")
    params = [p for p in model.parameters() if p.requires_grad]

    def one(x, y, hidden):
        output, hidden = model(x, hidden)
        loss = criterion(output, y)
        for p, g in zip(params, torch.autograd.grad(loss, params)):
            p.grad = g
        if max_norm is not None:
            nn.utils.clip_grad_norm_(params, max_norm)
        optimizer.step()
        return loss.item(), detach_hidden(hidden)

    losses, hidden = [], None
    for x, y in chunks(chunk_len, inputs, targets):
        loss, hidden = one(x, y, hidden)
        losses.append(loss)
    return losses
