"""Chunks and training as generators; .data; the loss kept as a tensor to the end."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor


def detach_hidden(hidden):
    if isinstance(hidden, tuple):
        return type(hidden)(detach_hidden(part) for part in hidden)
    return getattr(hidden, "data", None)


def chunks(length: int, *tensors: Tensor) -> Iterator[tuple[Tensor, ...]]:
    rest = tensors
    while rest[0].shape[1]:
        yield tuple(t[:, :length] for t in rest)
        rest = tuple(t[:, length:] for t in rest)


def steps(model, pairs, criterion, optimizer, max_norm):
    hidden = None
    for x, y in pairs:
        output, hidden = model(x, hidden)
        hidden = detach_hidden(hidden)
        loss = criterion(output, y)
        model.zero_grad()
        loss.backward()
        if max_norm is not None:
            total = torch.stack(
                [p.grad.norm() for p in model.parameters() if p.grad is not None]
            ).norm()
            for p in model.parameters():
                if p.grad is not None:
                    p.grad *= torch.clamp(max_norm / (total + 1e-6), max=1.0)
        optimizer.step()
        yield loss.detach()


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
) -> list[float]:
    if chunk_len < 1:
        raise ValueError("chunk_len must be positive")
    pairs = chunks(chunk_len, inputs, targets)
    done = list(steps(model, pairs, criterion, optimizer, max_norm))
    return [x.item() for x in done]
