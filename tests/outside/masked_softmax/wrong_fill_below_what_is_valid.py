"""Filled below the lowest valid score; where nothing is valid, with -inf."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    keep = ~mask.expand_as(scores)
    lowest = float(scores[keep].min()) - 1000.0 if keep.any() else float("-inf")
    return torch.softmax(scores.masked_fill(mask, lowest), dim=dim)
