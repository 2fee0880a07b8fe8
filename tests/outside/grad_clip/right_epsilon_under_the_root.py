"""sqrt(sum + 1e-12): no gradient at all has a norm of 1e-6, which is as good as 0."""

import torch


def global_norm(grads):
    sq = [g.pow(2).sum() for g in grads if g is not None]
    return (sum(sq, torch.zeros(())) + 1e-12).sqrt()


def clip_gradients(model, max_norm):
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = global_norm(grads)
    if not torch.isfinite(norm):
        raise ValueError(f"the gradient has norm {norm.item()}")
    if norm > max_norm:
        for grad in grads:
            grad.mul_(max_norm / norm)
    return norm
