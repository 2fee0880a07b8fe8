"""Plain Python floats and math.fsum; the answer goes back to the gradients' dtype."""

import math

import torch


def global_norm(grads):
    there = [g for g in grads if g is not None]
    if len(there) == 0:
        return torch.tensor(0.0)
    numbers = [x for g in there for x in g.flatten().tolist()]
    try:
        root = math.sqrt(math.fsum(x * x for x in numbers))
    except (OverflowError, ValueError):
        root = math.inf
    return torch.tensor(root, dtype=there[0].dtype)


@torch.no_grad()
def clip_gradients(model, max_norm):
    params = list(model.parameters())
    norm = global_norm([p.grad for p in params])
    value = norm.item()
    if math.isnan(value) or math.isinf(value):
        raise ValueError("gradient norm is not a number one can divide by")
    if value <= max_norm:
        return norm
    for p in params:
        if p.grad is not None:
            p.grad *= max_norm / value
    return norm
