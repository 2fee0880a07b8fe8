"""Gives a gradient of zeros to parameters that had none."""

import torch


def global_norm(grads):
    total = torch.tensor(0.0)
    for g in grads:
        if g is not None:
            total = total + (g * g).sum()
    return total.sqrt()


def clip_gradients(model, max_norm):
    for p in model.parameters():
        if p.grad is None:
            p.grad = torch.zeros_like(p)
    grads = [p.grad for p in model.parameters()]
    norm = global_norm(grads)
    if not torch.isfinite(norm):
        raise ValueError("not finite")
    factor = min(1.0, float(max_norm / (norm + 1e-6)))
    for g in grads:
        g.mul_(factor)
    return norm
