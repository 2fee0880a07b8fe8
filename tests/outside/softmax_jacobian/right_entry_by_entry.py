"""Recursion over the leading sizes, then every entry of J on its own."""

import torch


def softmax_jacobian(p):
    if p.dim() > 1:
        return torch.stack([softmax_jacobian(row) for row in p])
    n = len(p)
    rows = []
    for i in range(n):
        row = [p[i] * (1 - p[i]) if i == j else -p[i] * p[j] for j in range(n)]
        rows.append(torch.stack(row))
    return torch.stack(rows)


def softmax_backward(p, grad):
    share = (p * grad).sum(dim=-1, keepdim=True)
    return p * grad - share * p


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("only positive temperatures")
    shifted = (scores - scores.max(dim=-1, keepdim=True)[0]) / temperature
    e = shifted.exp()
    weights = e / e.sum(dim=-1, keepdim=True)
    output = torch.zeros_like(values[..., 0, :])
    for t in range(values.size(-2)):
        output = output + weights[..., t : t + 1] * values[..., t, :]
    return output, weights
