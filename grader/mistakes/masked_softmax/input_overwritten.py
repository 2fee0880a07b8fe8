"""Fills the caller's own scores in place."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    lowest = torch.finfo(scores.dtype).min
    scores.data.masked_fill_(mask, lowest)
    return torch.softmax(scores, dim=dim)
