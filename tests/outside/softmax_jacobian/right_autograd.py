"""Lets autograd differentiate softmax at log p."""

import torch
from torch.func import jacrev, vmap


def softmax_jacobian(p):
    rows = p.reshape(-1, p.shape[-1]).log()
    jac = vmap(jacrev(lambda s: torch.softmax(s, -1)))(rows)
    return jac.reshape(*p.shape, p.shape[-1])


def softmax_backward(p, grad):
    scores = p.detach().log().requires_grad_()
    with torch.enable_grad():
        again = scores.softmax(-1)
    return torch.autograd.grad(again, scores, grad)[0]


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature")
    log_w = torch.log_softmax(scores * (1 / temperature), -1)
    weights = log_w.exp()
    return (weights.unsqueeze(-1) * values).sum(-2), weights
