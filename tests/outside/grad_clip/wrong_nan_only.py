"""Refuses NaN; an infinite norm goes through and zeroes the gradients."""

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
    if torch.isnan(norm):
        raise ValueError("NaN in the gradients")
    if norm > max_norm:
        for g in grads:
            g.mul_(max_norm / norm)
    return norm
