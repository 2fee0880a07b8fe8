import torch


def masked_softmax(scores, mask, dim=-1):
    w = torch.softmax(scores, dim=dim)
    if mask is not None:
        w = w * (~mask).to(w.dtype)
    return w
