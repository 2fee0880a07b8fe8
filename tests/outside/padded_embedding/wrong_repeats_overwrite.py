"""The backward pass assigns: of a token's places only one counts."""

import torch
from torch import nn


class _Lookup(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weight, ids, pad):
        ctx.save_for_backward(ids)
        ctx.shape, ctx.pad = weight.shape, pad
        return weight[ids]

    @staticmethod
    def backward(ctx, grad):
        (ids,) = ctx.saved_tensors
        total = grad.new_zeros(ctx.shape)
        total[ids] += grad
        total[ctx.pad] = 0
        return total, None, None


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.padding_idx = padding_idx
        self.weight = nn.Parameter(torch.randn(num_embeddings, embedding_dim))
        with torch.no_grad():
            self.weight[padding_idx] = 0

    def forward(self, ids):
        if ids.dtype != torch.int64:
            raise TypeError("ids must be int64")
        if (ids < 0).any() or (ids >= self.num_embeddings).any():
            raise IndexError("id")
        return _Lookup.apply(self.weight, ids, self.padding_idx)
