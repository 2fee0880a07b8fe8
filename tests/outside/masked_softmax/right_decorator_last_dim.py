"""A decorator swaps ``dim`` with the last axis; the body knows the last alone."""

import functools

import torch


def along_last_axis(fn):
    @functools.wraps(fn)
    def wrapper(scores, mask, dim=-1):
        if mask is not None:
            while mask.dim() < scores.dim():
                mask = mask[None]
            mask = mask.transpose(dim, -1)
        return fn(scores.transpose(dim, -1), mask).transpose(dim, -1)

    return wrapper


@along_last_axis
def masked_softmax(scores, mask):
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return scores.softmax(-1)
