"""Works in float32 and forgets to go back."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores.float(), dim=dim)
    filled = scores.float().masked_fill(mask, -1e9)
    return torch.softmax(filled, dim=dim)
