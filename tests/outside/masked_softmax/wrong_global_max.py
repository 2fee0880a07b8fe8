"""The maximum of the whole tensor is subtracted: rows far below it vanish."""

import torch


def masked_softmax(scores, mask, dim=-1):
    valid = torch.ones_like(scores, dtype=torch.bool) if mask is None else ~mask
    valid = valid.expand_as(scores)
    top = torch.where(valid, scores, torch.finfo(scores.dtype).min).max()
    e = torch.where(valid, scores - top, 0.0).exp() * valid
    total = e.sum(dim, keepdim=True)
    return e / torch.where(total == 0, 1.0, total).to(e.dtype)
