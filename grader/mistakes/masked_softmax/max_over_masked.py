"""Subtracts a maximum that masked scores may decide."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    top = scores.amax(dim, keepdim=True)
    kept = torch.exp(scores - top) * ~mask
    total = kept.sum(dim, keepdim=True)
    return kept / total.masked_fill(total == 0, 1.0)
