"""Only the last gradient is looked at for NaN and infinity."""

import torch


def global_norm(grads):
    squares = [g.pow(2).sum() for g in grads if g is not None]
    if not squares:
        return torch.zeros(())
    return torch.stack(squares).sum().sqrt()


def clip_gradients(model, max_norm):
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = global_norm(grads)
    if grads and (not torch.isfinite(grads[-1]).all()):
        raise ValueError("not finite")
    if norm > max_norm:
        for grad in grads:
            grad.mul_(max_norm / norm)
    return norm
