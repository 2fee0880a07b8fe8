"""Filled with -8000, which real scores may lie below."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    # rows
    filled = scores.masked_fill(mask, -8000.0)
    return torch.softmax(filled, dim)
