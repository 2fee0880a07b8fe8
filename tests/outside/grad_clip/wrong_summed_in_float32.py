"""Sums up in a float32 tensor: of float64 gradients seven digits are left."""

import torch


def global_norm(grads):
    total = torch.zeros(())
    for g in grads:
        if g is not None:
            total += g.pow(2).sum()
    return total.sqrt()


def clip_gradients(model, max_norm):
    norm = global_norm([p.grad for p in model.parameters()])
    if not torch.isfinite(norm):
        raise ValueError("not finite")
    if norm > max_norm:
        for p in model.parameters():
            if p.grad is not None:
                p.grad.mul_(max_norm / norm)
    return norm
