"""Filled with -1000: enough until a row's valid scores lie below that."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    return torch.softmax(scores.masked_fill(mask, -1000.0), dim)
