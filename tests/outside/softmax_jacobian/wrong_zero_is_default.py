"""`temperature or 1.0`: a temperature of 0 is taken for 1, not refused."""

import torch


def softmax_jacobian(p):
    return torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)


def softmax_backward(p, grad):
    return p * (grad - (p * grad).sum(-1, keepdim=True))


def soft_lookup(scores, values, temperature=1.0):
    temperature = temperature or 1.0
    if temperature < 0:
        raise ValueError("temperature")
    w = torch.softmax(scores / temperature, dim=-1)
    return (w.unsqueeze(-1) * values).sum(-2), w
