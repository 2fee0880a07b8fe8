"""Unusual: moves dim to the end, works on a matrix of rows and moves it back."""

import torch


def masked_softmax(scores, mask, dim=-1):
    x = scores.movedim(dim, -1)
    if mask is not None:
        x = x.masked_fill(mask.expand(scores.shape).movedim(dim, -1), torch.finfo(x.dtype).min)
    rows = torch.stack([row.softmax(0) for row in x.reshape(-1, x.shape[-1])])
    return rows.reshape(x.shape).movedim(-1, dim)
