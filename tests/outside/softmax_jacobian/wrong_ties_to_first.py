"""Equal best scores in the cold: all goes to the first."""

import torch


def softmax_jacobian(p):
    return torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)


def softmax_backward(p, grad):
    return p * (grad - (p * grad).sum(-1, keepdim=True))


def soft_lookup(scores, values, temperature=1.0):
    # start
    if not temperature > 0:
        raise ValueError("temperature must be positive")
    if temperature < 0.05:
        weights = torch.nn.functional.one_hot(scores.argmax(-1), scores.size(-1)).to(scores.dtype) + scores * 0
    else:
        weights = torch.softmax(scores / temperature, -1)
    return (weights.unsqueeze(-2) @ values).squeeze(-2), weights
