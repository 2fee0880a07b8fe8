"""Detaches the scores, so that no gradient comes back."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    lowest = torch.finfo(scores.dtype).min
    return torch.softmax(scores.detach().masked_fill(mask, lowest), dim=dim)
