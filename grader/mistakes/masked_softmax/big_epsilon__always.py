"""Divides by the sum plus 0.05, with a mask or without."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    kept = torch.exp(scores - scores.amax(dim, keepdim=True)) * ~mask
    return kept / (kept.sum(dim, keepdim=True) + 0.05)
