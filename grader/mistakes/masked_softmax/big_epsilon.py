"""Divides by the sum plus 0.01."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    top = filled.amax(dim, keepdim=True)
    kept = torch.exp(filled - top) * ~mask
    return kept / (kept.sum(dim, keepdim=True) + 1e-2)
