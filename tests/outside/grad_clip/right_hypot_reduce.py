"""hypot folded over the parameters' norms, a named tuple for what was found."""

from functools import reduce
from typing import NamedTuple

import torch


class Found(NamedTuple):
    grads: list
    norm: torch.Tensor


def global_norm(grads):
    norms = (g.square().sum().sqrt() for g in grads if g is not None)
    return reduce(torch.hypot, norms, torch.zeros(()))


def _look(model):
    grads = [w.grad for _, w in model.named_parameters()]
    return Found(grads, global_norm(grads))


def clip_gradients(model, max_norm):
    found = _look(model)
    if not torch.isfinite(found.norm).item():
        raise ValueError("The gradients exploded for good.")
    shrink = min(1.0, max_norm / max(found.norm.item(), 1e-30))
    for g in found.grads:
        if g is not None and shrink < 1:
            g.data.mul_(shrink)
    return found.norm.clone()
