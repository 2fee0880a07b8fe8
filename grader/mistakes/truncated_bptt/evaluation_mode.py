"""Puts the model into evaluation mode and trains it there."""

import torch
from torch import nn


def detach_hidden(hidden):
    if hidden is None:
        return None
    if isinstance(hidden, torch.Tensor):
        return hidden.detach()
    return tuple(detach_hidden(h) for h in hidden)


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    if chunk_len < 1:
        raise ValueError("chunk_len must be at least 1")
    model.eval()
    hidden, losses = None, []
    for start in range(0, inputs.size(1), chunk_len):
        x = inputs[:, start : start + chunk_len]
        y = targets[:, start : start + chunk_len]
        output, hidden = model(x, detach_hidden(hidden))
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        if max_norm is not None:
            nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
