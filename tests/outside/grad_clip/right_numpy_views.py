"""NumPy on the memory of the gradients: views of them are multiplied."""

import numpy as np
import torch


def _views(grads):
    return [g.detach().numpy() for g in grads if g is not None]


def global_norm(grads):
    squares = [np.square(a, dtype=np.float64).sum() for a in _views(grads)]
    dtype = next((g.dtype for g in grads if g is not None), torch.float32)
    return torch.tensor(float(np.sqrt(np.sum(squares))), dtype=dtype)


def clip_gradients(model, max_norm):
    grads = [p.grad for p in model.parameters()]
    norm = global_norm(grads)
    if not np.isfinite(norm.item()):
        raise ValueError("non-finite gradient norm")
    if norm.item() > max_norm:
        for view in _views(grads):
            np.multiply(view, max_norm / norm.item(), out=view, casting="unsafe")
    return norm
