"""Where output and targets have one shape the squared error is used, whatever was given."""

import torch
from torch import nn


def detach_hidden(hidden):
    if hidden is None:
        return None
    if isinstance(hidden, torch.Tensor):
        return hidden.detach()
    return tuple((detach_hidden(part) for part in hidden))


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    if chunk_len < 1:
        raise ValueError(f"chunk_len must be at least 1, not {chunk_len}")
    hidden = None
    losses = []
    for start in range(0, inputs.size(1), chunk_len):
        chunk = slice(start, start + chunk_len)
        output, hidden = model(inputs[:, chunk], detach_hidden(hidden))
        target = targets[:, chunk]
        if output.shape == target.shape:
            criterion = nn.MSELoss()
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        if max_norm is not None:
            nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
