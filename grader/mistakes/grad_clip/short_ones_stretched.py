"""Always scales to max_norm."""

import torch


def global_norm(grads):
    total = torch.zeros(())
    for grad in grads:
        if grad is not None:
            total = total + (grad**2).sum()
    return total.sqrt()


def clip_gradients(model, max_norm):
    parameters = [p for p in model.parameters() if p.grad is not None]
    norm = global_norm([p.grad for p in parameters])
    if not torch.isfinite(norm):
        raise ValueError("the gradient norm is not finite")
    scale = max_norm / float(norm) if norm > 0 else 1.0
    for p in parameters:
        p.grad.mul_(scale)
    return norm
