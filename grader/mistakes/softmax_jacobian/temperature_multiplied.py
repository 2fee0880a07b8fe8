"""Multiplies by the temperature."""

import torch


def softmax_jacobian(p):
    outer = torch.einsum("...i,...j->...ij", p, p)
    return torch.diag_embed(p) - outer


def softmax_backward(p, grad):
    weighted = p * grad
    return weighted - p * weighted.sum(dim=-1, keepdim=True)


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    weights = torch.softmax(scores * temperature, dim=-1)
    output = (weights.unsqueeze(-1) * values).sum(dim=-2)
    return output, weights
