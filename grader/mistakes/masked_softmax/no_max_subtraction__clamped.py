"""Exponentials without subtracting the maximum, divided by at least 1e-7."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    kept = torch.exp(scores).masked_fill(mask, 0.0)
    return kept / kept.sum(dim, keepdim=True).clamp(min=1e-7)
