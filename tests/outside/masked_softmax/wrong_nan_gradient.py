"""-inf added, NaN swept up afterwards: the gradient of a whole row is NaN."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    bias = torch.zeros(mask.shape, dtype=scores.dtype)
    bias[mask] = float("-inf")
    return torch.nan_to_num(torch.softmax(scores + bias, dim))
