"""Unusual: minus infinity only in rows that keep a valid position."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    mask = mask.expand(scores.shape)
    fill = mask & ~mask.all(dim=dim, keepdim=True)
    return torch.softmax(scores.masked_fill(fill, float("-inf")), dim=dim) * ~mask
