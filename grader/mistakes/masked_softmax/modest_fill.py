"""Fills with -100: enough for ordinary scores only."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    return torch.softmax(scores.masked_fill(mask, -100.0), dim=dim)
