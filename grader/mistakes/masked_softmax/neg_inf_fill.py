"""Fills with minus infinity and stops there."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    filled = scores.masked_fill(mask, float("-inf"))
    return torch.softmax(filled, dim=dim)
