"""``mask.all(dim)`` on the mask as it came: a positive dim finds no such axis."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return scores.softmax(dim)
    whole = mask.all(dim, keepdim=True)
    filled = scores.masked_fill(mask & ~whole, float("-inf"))
    return filled.softmax(dim).masked_fill(whole, 0.0)
