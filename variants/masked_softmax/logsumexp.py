"""Unusual: subtracts logsumexp of the valid scores, with half types in float32."""

import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim=dim)
    x = scores.float() if scores.dtype in (torch.float16, torch.bfloat16) else scores
    x = x.masked_fill(mask, -1e30)
    return (x - x.logsumexp(dim, keepdim=True)).exp().masked_fill(mask, 0).to(scores.dtype)
