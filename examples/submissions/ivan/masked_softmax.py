import torch
from my_utils import safe_exp


def masked_softmax(scores, mask, dim=-1):
    e = safe_exp(scores) * ~mask
    return e / e.sum(dim, keepdim=True)
