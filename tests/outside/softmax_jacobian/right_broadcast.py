"""p_i (delta_ij - p_j) by broadcasting; einsum for the read-out."""

import torch


def softmax_jacobian(p):
    eye = torch.eye(p.size(-1), dtype=p.dtype)
    return p.unsqueeze(-1) * (eye - p.unsqueeze(-2))


def softmax_backward(p, grad):
    inner = torch.einsum("...n,...n->...", p, grad)
    return p * (grad - inner[..., None])


def soft_lookup(scores, values, temperature=1.0):
    if not temperature > 0:
        raise ValueError(f"temperature must be positive, not {temperature}")
    weights = torch.softmax(scores / temperature, dim=-1)
    return torch.einsum("...t,...td->...d", weights, values), weights
