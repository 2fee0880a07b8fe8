"""Fills the caller's scores in place, where autograd may refuse it."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    scores.masked_fill_(mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=dim)
