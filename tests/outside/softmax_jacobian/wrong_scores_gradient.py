"""The gradient to the scores forgets the temperature."""

import torch


def softmax_jacobian(p):
    return torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)


def softmax_backward(p, grad):
    return p * (grad - (p * grad).sum(-1, keepdim=True))


def soft_lookup(scores, values, temperature=1.0):
    # start
    if not temperature > 0:
        raise ValueError("temperature must be positive")
    weights = torch.softmax(scores / temperature + (scores - scores.detach()) * (1 - 1 / temperature), -1)
    return (weights.unsqueeze(-2) @ values).squeeze(-2), weights
