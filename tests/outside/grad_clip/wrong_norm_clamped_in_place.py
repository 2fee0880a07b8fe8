"""The factor is made with clamp_ on the norm: it returns the norm afterwards."""

import torch


def global_norm(grads):
    parts = [g.reshape(-1) for g in grads if g is not None]
    return torch.cat(parts).norm() if parts else torch.tensor(0.0)


def clip_gradients(model, max_norm):
    norm = global_norm([p.grad for p in model.parameters()])
    if not torch.isfinite(norm):
        raise ValueError("not finite")
    if norm > 0:
        factor = 1 / norm
        factor *= norm.clamp_(max=max_norm)
        for p in model.parameters():
            if p.grad is not None:
                p.grad.mul_(factor)
    return norm
