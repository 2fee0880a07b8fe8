"""All gradients in one long vector; its norm; slices of it are written back."""

import torch


def _flat(grads):
    parts = [g.reshape(-1) for g in grads if g is not None]
    return torch.cat(parts) if parts else torch.zeros(1)


def global_norm(grads):
    return _flat(grads).norm()


def clip_gradients(model, max_norm):
    owners = [p for p in model.parameters() if p.grad is not None]
    vector = _flat([p.grad for p in owners])
    norm = vector.norm()
    if not torch.isfinite(norm):
        raise ValueError(f"the norm is {norm.item()}")
    if norm > max_norm:
        vector = vector * (max_norm / norm)
        at = 0
        for p in owners:
            size = p.grad.numel()
            p.grad.copy_(vector[at : at + size].view(p.grad.shape))
            at += size
    return norm
