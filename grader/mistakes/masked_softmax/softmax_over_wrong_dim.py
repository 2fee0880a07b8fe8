"""Normalises over the first axis, whatever dim says."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=0)
    lowest = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(mask, lowest), dim=0)
