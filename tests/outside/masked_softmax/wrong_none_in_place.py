"""Without a mask the maximum is subtracted in the caller's tensor."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        with torch.no_grad():
            scores -= scores.amax(dim, keepdim=True)
        return torch.softmax(scores, dim)
    # rows
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return torch.softmax(filled, dim)
