"""torch.stack of nothing: no gradient at all is an error, not 0."""

import torch


def global_norm(grads):
    return torch.stack([g.norm() for g in grads if g is not None]).norm()


def clip_gradients(model, max_norm):
    norm = global_norm([p.grad for p in model.parameters()])
    if not torch.isfinite(norm):
        raise ValueError("not finite")
    if norm > max_norm:
        for p in model.parameters():
            if p.grad is not None:
                p.grad.mul_(max_norm / norm)
    return norm
