"""Lets autograd do the backward pass on log p."""

import torch


def softmax_jacobian(p):
    outer = torch.einsum("...i,...j->...ij", p, p)
    return torch.diag_embed(p) - outer


def softmax_backward(p, grad):
    s = p.clamp(min=1e-300).log().detach().requires_grad_()
    (out,) = torch.autograd.grad(torch.softmax(s, -1), s, grad)
    return out


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature must be positive")
    weights = torch.softmax(scores / temperature, dim=-1)
    output = (weights.unsqueeze(-1) * values).sum(dim=-2)
    return output, weights
