"""torch.autograd.grad, gradients put in place by hand, clipped by hand."""

import numpy as np
import torch
from torch.utils import _pytree as pytree


def detach_hidden(hidden):
    return pytree.tree_map(lambda h: h if h is None else h.detach(), hidden)


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    T = inputs.size(1)
    if chunk_len <= 0:
        raise ValueError("chunk_len <= 0")
    params = [p for p in model.parameters() if p.requires_grad]
    history = np.zeros(-(-T // chunk_len))
    hidden, t, i = None, 0, 0
    while t < T:
        length = min(chunk_len, T - t)
        output, hidden = model(inputs.narrow(1, t, length), hidden)
        loss = criterion(output, targets.narrow(1, t, length))
        grads = torch.autograd.grad(loss, params, allow_unused=True)
        norm = sum(float(g.pow(2).sum()) for g in grads if g is not None) ** 0.5
        scale = 1.0
        if max_norm is not None and norm > max_norm:
            scale = max_norm / norm
        for p, g in zip(params, grads):
            p.grad = None if g is None else g * scale
        history[i] = loss.detach().numpy()
        optimizer.step()
        hidden = detach_hidden(hidden)
        t += length
        i += 1
    return history.tolist()
