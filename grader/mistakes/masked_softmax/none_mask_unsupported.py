"""Fills with the mask even when there is none."""

import torch


def masked_softmax(scores, mask, dim=-1):
    lowest = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(mask, lowest), dim=dim)
