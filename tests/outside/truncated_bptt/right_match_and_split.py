"""match for the kinds of hidden, torch.split for the chunks."""

import math

import torch
from torch import Tensor
from torch.nn.utils import clip_grad_norm_


def detach_hidden(hidden):
    match hidden:
        case None:
            return None
        case Tensor():
            return hidden.detach()
        case [*parts]:
            return tuple(map(detach_hidden, parts))
    raise TypeError(type(hidden))


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    if chunk_len < 1:
        raise ValueError(f"chunk_len is {chunk_len}")
    limit = math.inf if max_norm is None else max_norm
    state, losses = None, []
    for x, y in zip(inputs.split(chunk_len, 1), targets.split(chunk_len, 1)):
        out, state = model(x, detach_hidden(state))
        loss = criterion(out, y)
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        losses.append(loss.item())
    return losses
