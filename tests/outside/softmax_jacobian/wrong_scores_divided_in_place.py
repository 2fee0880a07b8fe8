"""`scores /= temperature`, and the maximum off in place: the caller's scores."""

import torch


def softmax_jacobian(p):
    return torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)


def softmax_backward(p, grad):
    return p * (grad - (p * grad).sum(-1, keepdim=True))


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature")
    if scores.requires_grad:
        scores = scores.clone()
    scores /= temperature
    w = torch.softmax(scores, dim=-1)
    return (w.unsqueeze(-1) * values).sum(-2), w
