"""nested norms over numpy views; gradients are written through numpy."""
import numpy as np
import torch


def global_norm(grads):
    kept = [g.detach().numpy() for g in grads if g is not None]
    if not kept:
        return torch.tensor(0.0)
    value = np.sqrt(np.sum([np.sum(np.square(k, dtype=np.float64)) for k in kept]))
    return torch.tensor(value, dtype=next(g for g in grads if g is not None).dtype)


def clip_gradients(model, max_norm):
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = global_norm(grads)
    if not np.isfinite(norm.item()):
        raise ValueError("norm")
    if norm.item() > max_norm:
        for g in grads:
            view = g.numpy()
            view *= max_norm / norm.item()
    return norm
