"""Exponentials without subtracting the maximum."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    kept = torch.exp(scores) * ~mask
    total = kept.sum(dim, keepdim=True)
    return kept / total.masked_fill(total == 0, 1.0)
