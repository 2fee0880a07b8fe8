"""Fills with -1, which gets a share like any score."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    return torch.softmax(scores.masked_fill(mask, -1.0), dim=dim)
