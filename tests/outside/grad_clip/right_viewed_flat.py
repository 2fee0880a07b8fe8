"""g.view(-1) of each gradient."""

import torch


def global_norm(grads):
    flat = [g.view(-1) for g in grads if g is not None]
    return torch.cat(flat).norm() if flat else torch.zeros(())


def clip_gradients(model, max_norm):
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = global_norm(grads)
    if not torch.isfinite(norm):
        raise ValueError(f"the gradient has norm {norm.item()}")
    if norm > max_norm:
        for grad in grads:
            grad.mul_(max_norm / norm)
    return norm
