import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is not None:
        # finfo instead of -inf so a row with no valid entry does not give nan
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=dim)
