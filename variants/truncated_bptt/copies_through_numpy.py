"""Unusual: the state is copied through numpy, the losses through one tensor."""

import torch
from torch import nn


def detach_hidden(hidden):
    if hidden is None:
        return None
    if torch.is_tensor(hidden):
        return torch.from_numpy(hidden.detach().cpu().numpy().copy())
    return tuple(detach_hidden(h) for h in hidden)


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    if chunk_len < 1:
        raise ValueError("chunk_len must be positive")
    first, hidden = True, None
    losses = torch.zeros(-(-inputs.size(1) // chunk_len), dtype=torch.float64)
    for k in range(len(losses)):
        x = inputs[:, k * chunk_len :][:, :chunk_len].contiguous()
        y = targets[:, k * chunk_len :][:, :chunk_len].contiguous()
        output, hidden = model(x, None) if first else model(x, detach_hidden(hidden))
        first = False
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        if max_norm is not None:
            nn.utils.clip_grad_norm_(model.parameters(), max_norm, foreach=False)
        optimizer.step()
        losses[k] = loss.detach()
    return losses.tolist()
