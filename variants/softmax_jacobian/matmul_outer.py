"""Outer product by matmul; lookup by einsum."""

import torch


def softmax_jacobian(p):
    outer = p.unsqueeze(-1) @ p.unsqueeze(-2)
    return torch.diag_embed(p) - outer


def softmax_backward(p, grad):
    weighted = p * grad
    return weighted - p * weighted.sum(dim=-1, keepdim=True)


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    weights = torch.softmax(scores / temperature, dim=-1)
    output = torch.einsum("...t,...td->...d", weights, values)
    return output, weights
