"""Unusual: torch.where with a tensor of the lowest number."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    lowest = torch.full_like(scores, torch.finfo(scores.dtype).min)
    return torch.where(mask, lowest, scores).softmax(dim)
