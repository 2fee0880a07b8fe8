"""Fills with a number next to 0 instead of a very low one."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    return torch.softmax(scores.masked_fill(mask, -1e-9), dim=dim)
