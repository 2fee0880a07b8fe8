"""The mask is added: a masked score keeps a say, and shows in a whole row."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    big = 1e4 if scores.dtype == torch.float16 else 1e9
    return torch.softmax(scores - mask.to(scores.dtype) * big, dim)
