"""exp over its sum: at a low temperature inf over inf."""

import torch


def softmax_jacobian(p):
    return torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)


def softmax_backward(p, grad):
    return p * (grad - (p * grad).sum(-1, keepdim=True))


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature")
    e = torch.exp(scores / temperature)
    w = e / e.sum(dim=-1, keepdim=True)
    return (w.unsqueeze(-1) * values).sum(-2), w
