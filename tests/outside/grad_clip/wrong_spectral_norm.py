"""linalg.norm(g, 2) of a matrix is its largest singular value."""

import torch


def global_norm(grads):
    norms = []
    for g in grads:
        if g is None:
            continue
        norms.append(torch.linalg.norm(g if g.dim() in (1, 2) else g.flatten(), 2))
    return torch.linalg.norm(torch.stack(norms)) if norms else torch.tensor(0.0)


def clip_gradients(model, max_norm):
    norm = global_norm([p.grad for p in model.parameters()])
    if not torch.isfinite(norm):
        raise ValueError("not finite")
    if norm > max_norm:
        for p in model.parameters():
            if p.grad is not None:
                p.grad.mul_(max_norm / norm)
    return norm
