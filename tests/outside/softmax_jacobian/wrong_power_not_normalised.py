"""softmax(scores) ** (1 / temperature): the weights no longer sum to 1."""

import torch


def softmax_jacobian(p):
    return torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)


def softmax_backward(p, grad):
    return p * (grad - (p * grad).sum(-1, keepdim=True))


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature")
    w = torch.softmax(scores, dim=-1) ** (1 / temperature)
    return (w.unsqueeze(-1) * values).sum(-2), w
