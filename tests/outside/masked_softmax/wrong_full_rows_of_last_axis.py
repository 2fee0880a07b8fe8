"""Whole rows are looked for along the last axis, whatever ``dim`` says."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return scores.softmax(dim)
    mask = mask.expand_as(scores)
    weights = scores.masked_fill(mask, torch.finfo(scores.dtype).min).softmax(dim)
    return weights.masked_fill(mask.all(-1, keepdim=True), 0.0)
