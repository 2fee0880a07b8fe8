"""Unusual: exponentials and sum by hand, the maximum of valid scores subtracted."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    lowest = torch.finfo(scores.dtype).min
    top = scores.masked_fill(mask, lowest).amax(dim, keepdim=True)
    kept = torch.exp((scores - top).masked_fill(mask, -60.0)).masked_fill(mask, 0.0)
    total = kept.sum(dim, keepdim=True)
    return kept / total.masked_fill(total == 0, 1.0)
