"""Always worked out in float32: float64 goes in, seven digits come out."""

import torch


def masked_softmax(scores, mask, dim=-1):
    s = scores.float()
    if mask is not None:
        s = s.masked_fill(mask, -1e9)
    return torch.softmax(s, dim).to(scores.dtype)
