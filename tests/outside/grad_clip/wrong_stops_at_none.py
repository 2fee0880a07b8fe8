"""break for continue: what comes after the first None is not looked at."""

import torch


def global_norm(grads):
    total = torch.tensor(0.0)
    for g in grads:
        if g is not None:
            total = total + (g * g).sum()
    return total.sqrt()


def clip_gradients(model, max_norm):
    norm = global_norm([p.grad for p in model.parameters()])
    if not torch.isfinite(norm):
        raise ValueError("not finite")
    for p in model.parameters():
        if p.grad is None:
            break
        if norm > max_norm:
            p.grad.mul_(max_norm / norm)
    return norm
