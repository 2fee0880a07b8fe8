"""The backward pass keeps p(1 - p), as a sigmoid's would."""

import torch


def softmax_jacobian(p):
    return torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)


def softmax_backward(p, grad):
    return p * (1 - p) * grad


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature")
    w = torch.softmax(scores / temperature, dim=-1)
    return (w.unsqueeze(-1) * values).sum(-2), w
