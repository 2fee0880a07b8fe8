"""Looks into the children: parameters held by the model itself are left out."""

import torch


def global_norm(grads):
    squares = [g.pow(2).sum() for g in grads if g is not None]
    return torch.stack(squares).sum().sqrt() if squares else torch.tensor(0.0)


def clip_gradients(model, max_norm):
    layers = list(model.children()) or [model]
    params = [p for layer in layers for p in layer.parameters()]
    norm = global_norm([p.grad for p in params])
    if not torch.isfinite(norm):
        raise ValueError("norm")
    if norm > max_norm:
        for p in params:
            if p.grad is not None:
                p.grad.mul_(max_norm / norm)
    return norm
