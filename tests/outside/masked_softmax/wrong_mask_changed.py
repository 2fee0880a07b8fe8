"""contiguous() copies nothing when nothing is to do: the caller's mask changes."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    mask = mask.expand_as(scores).contiguous()
    whole = mask.all(dim, keepdim=True)
    mask &= ~whole
    filled = scores.masked_fill(mask, float("-inf"))
    return torch.softmax(filled, dim).masked_fill(whole, 0)
