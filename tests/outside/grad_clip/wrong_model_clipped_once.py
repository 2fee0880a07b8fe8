"""A model is marked as clipped: the next step is not."""

import torch


def global_norm(grads):
    squares = [g.pow(2).sum() for g in grads if g is not None]
    if not squares:
        return torch.zeros(())
    return torch.stack(squares).sum().sqrt()


def clip_gradients(model, max_norm):
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = global_norm(grads)
    if not torch.isfinite(norm):
        raise ValueError(f"the gradient has norm {norm.item()}")
    if norm > max_norm and (not hasattr(model, "clipped")):
        model.clipped = True
        for grad in grads:
            grad.mul_(max_norm / norm)
    return norm
