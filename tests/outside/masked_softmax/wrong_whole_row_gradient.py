"""A whole row is uniform, but its masked scores get a gradient."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    # rows
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    whole = mask.expand_as(scores).all(dim, keepdim=True)
    even = torch.softmax(scores - scores.detach(), dim)
    return torch.where(whole, even, torch.softmax(filled, dim))
