"""Subtracts one maximum of the whole tensor from every row."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    kept = torch.exp(filled - filled.max()) * ~mask
    total = kept.sum(dim, keepdim=True)
    return kept / total.masked_fill(total == 0, 1.0)
