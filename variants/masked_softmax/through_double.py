"""Unusual: computes in float64 and casts back; zeros on full rows."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    wide = scores.double().masked_fill(mask, -1e300)
    return torch.softmax(wide, dim).masked_fill(mask, 0).to(scores.dtype)
