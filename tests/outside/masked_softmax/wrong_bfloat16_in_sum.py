"""In bfloat16 everything is added up one by one: a long row sums to less."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    # rows
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    if scores.dtype != torch.bfloat16:
        return torch.softmax(filled, dim)
    e = (filled - filled.amax(dim, keepdim=True)).exp()
    z = torch.zeros_like(e.select(dim, 0))
    for part in e.unbind(dim):
        z = z + part
    return e / z.unsqueeze(dim)
