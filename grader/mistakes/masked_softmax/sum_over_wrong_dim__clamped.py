"""Masks after the softmax, with a mask or without, and divides by column sums."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    kept = torch.softmax(scores, dim=dim) * ~mask
    return kept / kept.sum(0, keepdim=True).clamp(min=1e-7)
