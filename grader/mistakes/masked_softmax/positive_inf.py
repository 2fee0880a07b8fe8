"""Negates minus infinity: masked positions become the largest."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    return torch.softmax(scores.masked_fill(mask, -float("-inf")), dim=dim)
