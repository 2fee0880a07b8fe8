"""Unpacks p.shape into B and n: no row alone, no three axes."""

import torch


def softmax_jacobian(p):
    b, n = p.shape
    return torch.diag_embed(p) - torch.bmm(p.view(b, n, 1), p.view(b, 1, n))


def softmax_backward(p, grad):
    return p * (grad - (p * grad).sum(-1, keepdim=True))


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature")
    w = torch.softmax(scores / temperature, dim=-1)
    return (w.unsqueeze(-1) * values).sum(-2), w
