"""An exploded gradient is set to zero before the error: it was to stay."""

import torch


def global_norm(grads):
    parts = [g.reshape(-1) for g in grads if g is not None]
    return torch.cat(parts).norm() if parts else torch.tensor(0.0)


def clip_gradients(model, max_norm):
    norm = global_norm([p.grad for p in model.parameters()])
    if not torch.isfinite(norm):
        model.zero_grad(set_to_none=False)
        raise ValueError("skipped this step")
    for p in model.parameters():
        if p.grad is not None and norm > max_norm:
            p.grad.mul_(max_norm / norm)
    return norm
