"""Scores are clamped to +-50, so that exp() never overflows."""

import torch


def masked_softmax(scores, mask, dim=-1):
    e = scores.clamp(-50, 50).double().exp()
    if mask is not None:
        e = e * ~mask
    total = e.sum(dim, keepdim=True)
    return (e / (total + (total == 0))).to(scores.dtype)
