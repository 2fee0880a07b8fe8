"""A row that is masked whole is treated as if nothing were masked."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    mask = mask.expand_as(scores)
    mask = mask & ~mask.all(dim, keepdim=True)
    return torch.softmax(scores.masked_fill(mask, float("-inf")), dim)
