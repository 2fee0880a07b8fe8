"""Gives masked positions a score next to 0, by a tiny fill or a product."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    return torch.softmax(scores.masked_fill(mask, -1e-9), dim=dim)
