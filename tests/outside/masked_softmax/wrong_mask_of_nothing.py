"""Masked scores are replaced one by one from a stack of their places."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return scores.softmax(dim)
    places = torch.stack(list(mask.expand_as(scores).nonzero())).T
    low = torch.tensor(torch.finfo(scores.dtype).min, dtype=scores.dtype)
    return scores.index_put(tuple(places), low).softmax(dim)
