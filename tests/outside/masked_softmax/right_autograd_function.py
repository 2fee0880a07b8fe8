"""A Function of its own, with the backward pass written out."""

import torch


class _Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, s, valid, dim):
        low = torch.finfo(s.dtype).min
        top = s.masked_fill(~valid, low).amax(dim, keepdim=True)
        e = torch.where(valid, (s - top).exp(), torch.zeros_like(s))
        z = e.sum(dim, keepdim=True)
        p = e / torch.where(z == 0, torch.ones_like(z), z)
        ctx.save_for_backward(p)
        ctx.dim = dim
        return p

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        inner = (g * p).sum(ctx.dim, keepdim=True)
        return p * (g - inner), None, None


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        valid = torch.ones_like(scores, dtype=torch.bool)
    else:
        valid = mask.logical_not().expand_as(scores)
    return _Softmax.apply(scores, valid, dim)
