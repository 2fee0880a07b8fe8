"""Unusual: the course's own constants, -1e9 for float32 and -1e4 for the rest."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    low = -1e9 if scores.dtype == torch.float32 else -1e4
    return torch.nn.functional.softmax(scores.masked_fill(mask, low), dim=dim)
