"""``dim`` is forgotten in the branch without a mask."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, -1)
    return torch.softmax(scores.masked_fill(mask, torch.finfo(scores.dtype).min), dim)
