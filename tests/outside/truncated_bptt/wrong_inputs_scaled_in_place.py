"""Standardises the caller's inputs in place."""

import torch
from torch.nn.utils import clip_grad_norm_


def detach_hidden(hidden):
    if hidden is None:
        return None
    if isinstance(hidden, torch.Tensor):
        return hidden.detach()
    return tuple(detach_hidden(h) for h in hidden)


def train_truncated_bptt(model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None):
    if chunk_len < 1:
        raise ValueError("chunk_len must be at least 1")
    with torch.no_grad():
        copy = inputs.clone()
        inputs -= inputs.mean()
        inputs = copy
    hidden, losses = None, []
    for s in range(0, inputs.shape[1], chunk_len):
        x, y = inputs[:, s : s + chunk_len], targets[:, s : s + chunk_len]
        output, hidden = model(x, detach_hidden(hidden))
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        if max_norm is not None:
            clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
