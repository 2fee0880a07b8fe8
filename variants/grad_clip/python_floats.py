"""Sums in Python floats through named_parameters."""

import torch


def global_norm(grads):
    squares = [float(g.double().pow(2).sum()) for g in grads if g is not None]
    return torch.tensor(sum(squares) ** 0.5)


def clip_gradients(model, max_norm):
    parameters = [p for _, p in model.named_parameters() if p.grad is not None]
    norm = global_norm([p.grad for p in parameters])
    if not torch.isfinite(norm):
        raise ValueError("the gradient norm is not finite")
    scale = min(1.0, max_norm / float(norm)) if norm > 0 else 1.0
    for p in parameters:
        p.grad.mul_(scale)
    return norm
