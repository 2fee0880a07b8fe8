"""Norm of the norms, clamped factor with a small epsilon, as the library does."""

import torch


def global_norm(grads):
    norms = [g.norm() for g in grads if g is not None]
    return torch.stack(norms).norm() if norms else torch.tensor(0.0)


def clip_gradients(model, max_norm):
    parameters = [p for p in model.parameters() if p.grad is not None]
    norm = global_norm([p.grad for p in parameters])
    if not torch.isfinite(norm):
        raise ValueError("the gradient norm is not finite")
    scale = torch.clamp(max_norm / (norm + 1e-6), max=1.0)
    for p in parameters:
        p.grad.mul_(scale)
    return norm
