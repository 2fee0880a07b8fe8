"""exp(s - logsumexp(s)) after a fill so low that log n is rounded away."""

import torch


def masked_softmax(scores, mask, dim=-1):
    s = scores.double()
    if mask is not None:
        s = torch.where(mask, torch.full_like(s, -1e30), s)
    return torch.exp(s - torch.logsumexp(s, dim, keepdim=True)).to(scores.dtype)
