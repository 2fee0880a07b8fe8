"""Walks through the modules: a weight that two of them share counts twice."""

import torch


def global_norm(grads):
    squares = [g.pow(2).sum() for g in grads if g is not None]
    return torch.stack(squares).sum().sqrt() if squares else torch.tensor(0.0)


def clip_gradients(model, max_norm):
    params = [p for m in model.modules() for p in m.parameters(recurse=False)]
    norm = global_norm([p.grad for p in params])
    if not torch.isfinite(norm):
        raise ValueError("norm")
    if norm > max_norm:
        for p in params:
            if p.grad is not None:
                p.grad.mul_(max_norm / norm)
    return norm
