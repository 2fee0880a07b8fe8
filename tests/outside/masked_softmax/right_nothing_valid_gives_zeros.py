"""Zeros at once where all is masked."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    if mask.all():
        return torch.zeros_like(scores)
    lowest = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(mask, lowest), dim=dim)
