"""Fills with -10, which still gets a share."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    return torch.softmax(scores.masked_fill(mask, -10.0), dim=dim)
