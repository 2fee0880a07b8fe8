"""Multiplies masked scores by 0: exp(0) still takes its share."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    return torch.softmax(scores * ~mask, dim=dim)
