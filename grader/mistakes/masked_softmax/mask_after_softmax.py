"""Zeroes masked weights after the softmax, without renormalising."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    return torch.softmax(scores, dim=dim) * ~mask
