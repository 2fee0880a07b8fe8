"""Fills in float32 and goes back before the softmax; float16 has no -1e9."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    filled = torch.where(mask, torch.tensor(-1e9), scores.float())
    return torch.softmax(filled.to(scores.dtype), dim=dim)
