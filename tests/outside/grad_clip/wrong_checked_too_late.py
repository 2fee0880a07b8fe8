"""Multiplies first and looks at the norm afterwards: the gradients are ruined."""

import torch


def global_norm(grads):
    total = torch.tensor(0.0)
    for g in grads:
        if g is not None:
            total = total + (g * g).sum()
    return total.sqrt()


def clip_gradients(model, max_norm):
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = global_norm(grads)
    factor = max_norm / norm
    if not factor >= 1:
        for g in grads:
            g.mul_(factor)
    if not torch.isfinite(norm):
        raise ValueError("the norm is not finite")
    return norm
