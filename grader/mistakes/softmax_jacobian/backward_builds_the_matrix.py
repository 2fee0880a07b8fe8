"""Builds the matrix for the product."""

import torch


def softmax_jacobian(p):
    outer = torch.einsum("...i,...j->...ij", p, p)
    return torch.diag_embed(p) - outer


def softmax_backward(p, grad):
    if p.shape[-1] > 10000:
        raise MemoryError("no room for the matrix")
    return (softmax_jacobian(p) @ grad.unsqueeze(-1)).squeeze(-1)


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    weights = torch.softmax(scores / temperature, dim=-1)
    output = (weights.unsqueeze(-1) * values).sum(dim=-2)
    return output, weights
