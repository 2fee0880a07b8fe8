"""Softmax of everything, then masked and renormalised with a small epsilon."""

import torch


def masked_softmax(scores, mask, dim=-1):
    p = torch.softmax(scores.float() if scores.dtype.itemsize == 2 else scores, dim)
    if mask is not None:
        p = p * ~mask
        p = p / (p.sum(dim, keepdim=True) + 1e-12)
    return p.to(scores.dtype)
