"""Equal scores: 1 over their number, masked ones counted."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    if bool(scores.max() == scores.min()):
        return torch.full_like(scores, 1 / scores.size(dim)) + scores * 0
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return torch.softmax(filled, dim)
