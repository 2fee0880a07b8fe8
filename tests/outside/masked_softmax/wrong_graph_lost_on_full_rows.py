"""A whole row sends all rows through a branch that drops the gradient."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    low = torch.finfo(scores.dtype).min
    weights = torch.softmax(scores.masked_fill(mask, low), dim)
    whole = mask.expand_as(scores).all(dim, keepdim=True)
    if whole.any():
        fixed = weights.detach() * ~whole
        return fixed + 0 * weights
    return weights
