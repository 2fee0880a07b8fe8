"""softmax(scores * keep) * keep / (sum + 1e-13): low valid scores vanish."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    keep = (~mask).to(scores.dtype)
    weights = torch.softmax(scores * keep, dim=dim) * keep
    return weights / (weights.sum(dim, keepdim=True) + 1e-13)
