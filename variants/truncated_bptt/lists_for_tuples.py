"""Unusual: detach_hidden answers with lists, and the state is cut after the step."""

import torch
from torch.nn.utils import clip_grad_norm_


def detach_hidden(hidden):
    if torch.is_tensor(hidden):
        return hidden.detach().clone()
    return hidden if hidden is None else [detach_hidden(h) for h in hidden]


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    if chunk_len <= 0:
        raise ValueError(chunk_len)
    history = []
    hidden = None
    for x, y in zip(inputs.split(chunk_len, dim=1), targets.split(chunk_len, dim=1)):
        optimizer.zero_grad(set_to_none=False)
        out, hidden = model(x, hidden)
        loss = criterion(out, y)
        loss.backward()
        if max_norm is not None:
            clip_grad_norm_(model.parameters(), max_norm=max_norm)
        optimizer.step()
        hidden = detach_hidden(hidden)
        history += [float(loss)]
    return history
