"""The multi-tensor functions that PyTorch's own optimizers use."""

import torch


def global_norm(grads):
    grads = [g for g in grads if g is not None]
    if not grads:
        return torch.tensor(0.0)
    return torch.linalg.vector_norm(torch.stack(torch._foreach_norm(grads)))


def clip_gradients(model, max_norm):
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = global_norm(grads)
    if not norm.isfinite():
        raise ValueError(norm)
    if grads:
        factor = (max_norm / (norm + 1e-6)).clamp(max=1.0)
        torch._foreach_mul_(grads, factor.item())
    return norm
