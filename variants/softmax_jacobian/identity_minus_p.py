"""J as p_i (delta_ij - p_j)."""

import torch


def softmax_jacobian(p):
    eye = torch.eye(p.shape[-1], dtype=p.dtype)
    return p[..., :, None] * (eye - p[..., None, :])


def softmax_backward(p, grad):
    weighted = p * grad
    return weighted - p * weighted.sum(dim=-1, keepdim=True)


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    weights = torch.softmax(scores / temperature, dim=-1)
    output = (weights.unsqueeze(-1) * values).sum(dim=-2)
    return output, weights
