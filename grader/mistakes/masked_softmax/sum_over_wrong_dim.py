"""Masks after the softmax and renormalises over the first axis."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    kept = torch.softmax(scores, dim=dim) * ~mask
    total = kept.sum(0, keepdim=True)
    return kept / total.masked_fill(total == 0, 1.0)
