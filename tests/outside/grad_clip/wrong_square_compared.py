"""Compares the sum of squares with max_norm; the factor is never above 1."""

import torch


def _squares(grads):
    return sum((g.pow(2).sum() for g in grads if g is not None), torch.tensor(0.0))


def global_norm(grads):
    return _squares(grads).sqrt()


def clip_gradients(model, max_norm):
    grads = [p.grad for p in model.parameters()]
    squares = _squares(grads)
    if not torch.isfinite(squares):
        raise ValueError("not finite")
    norm = squares.sqrt()
    if squares > max_norm:
        factor = (max_norm / norm).clamp(max=1)
        for g in grads:
            if g is not None:
                g.mul_(factor)
    return norm
