"""Works everything out in float32, whatever comes in."""

import torch


def masked_softmax(scores, mask, dim=-1):
    wide = scores.float()
    if mask is not None:
        wide = wide.masked_fill(mask, -1e9)
    return torch.softmax(wide, dim=dim).to(scores.dtype)
