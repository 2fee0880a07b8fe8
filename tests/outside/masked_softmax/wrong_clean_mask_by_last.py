"""A mask in which nothing is masked: softmax over the last axis."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    if not mask.any():
        return torch.softmax(scores, -1)
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return torch.softmax(filled, dim)
