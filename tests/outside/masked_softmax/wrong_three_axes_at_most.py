"""Unpacks three sizes when there are more than two."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    # rows
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    if scores.dim() > 3:
        b, *_, t = scores.shape
        dim = -1
    return torch.softmax(filled, dim)
