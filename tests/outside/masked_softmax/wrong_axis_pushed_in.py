"""A mask with one axis less gets its axis in second place: (Tq, Tk) is misread."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    if 1 < mask.dim() < scores.dim():
        mask = mask.unsqueeze(1)
    if mask.dim() == 3 and mask.size(0) not in (1, scores.size(0)):
        mask = mask[:1]
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return torch.softmax(filled, dim)
