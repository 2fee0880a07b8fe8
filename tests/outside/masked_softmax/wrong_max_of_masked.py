"""The subtracted maximum counts masked scores: a large one drowns the row."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    valid = (~mask).to(scores.dtype)
    e = (scores - scores.amax(dim, keepdim=True)).exp() * valid
    return e / e.sum(dim, keepdim=True).clamp(min=torch.finfo(scores.dtype).tiny)
