"""Divides by the sum, also where nothing is left to add up."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    kept = torch.exp(filled - filled.amax(dim, keepdim=True)) * ~mask
    return kept / kept.sum(dim, keepdim=True)
