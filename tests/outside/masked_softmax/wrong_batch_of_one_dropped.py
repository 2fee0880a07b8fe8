"""A batch of one loses its axis."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    # rows
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    p = torch.softmax(filled, dim)
    return p[0] if p.dim() > 2 and p.size(0) == 1 else p
