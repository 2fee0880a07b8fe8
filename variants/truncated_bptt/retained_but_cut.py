"""Unusual: keeps the graph although it is cut: wasteful, not wrong."""

import torch
from torch import nn
from torch.utils._pytree import tree_map


def detach_hidden(hidden):
    return tree_map(lambda h: h.detach() if torch.is_tensor(h) else h, hidden)


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    if chunk_len < 1:
        raise ValueError("chunk_len < 1")
    model.train()
    hidden = None
    losses = []
    starts = list(range(0, inputs.size(1), chunk_len))
    for a, b in zip(starts, starts[1:] + [inputs.size(1)]):
        hidden = detach_hidden(hidden)
        y_hat, hidden = model(inputs[:, a:b], hidden)
        loss = criterion(y_hat, targets[:, a:b])
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        if max_norm is not None:
            total = nn.utils.get_total_norm([p.grad for p in model.parameters()])
            nn.utils.clip_grads_with_norm_(model.parameters(), max_norm, total)
        optimizer.step()
        losses.append(loss.item())
    return losses
