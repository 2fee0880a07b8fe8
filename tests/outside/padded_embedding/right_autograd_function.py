"""A Function of its own: index_add_ in the backward pass, padding left out."""

import torch
from torch import nn


class _Lookup(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weight, ids, padding_idx):
        ctx.save_for_backward(ids)
        ctx.rows, ctx.pad = weight.shape[0], padding_idx
        return weight[ids]

    @staticmethod
    def backward(ctx, grad):
        (ids,) = ctx.saved_tensors
        total = grad.new_zeros(ctx.rows, grad.shape[-1])
        total.index_add_(0, ids.reshape(-1), grad.reshape(-1, grad.shape[-1]))
        total[ctx.pad] = 0
        return total, None, None


class PaddedEmbedding(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, padding_idx):
        super().__init__()
        self.num_embeddings, self.padding_idx = num_embeddings, padding_idx
        self.weight = nn.Parameter(torch.empty(num_embeddings, embedding_dim))
        with torch.no_grad():
            self.weight.normal_()
            self.weight[padding_idx].zero_()

    def forward(self, ids):
        if ids.dtype != torch.int64:
            raise TypeError(f"int64 wanted, not {ids.dtype}")
        if ((ids < 0) | (ids >= self.num_embeddings)).any():
            raise IndexError(f"ids must lie in 0..{self.num_embeddings - 1}")
        return _Lookup.apply(self.weight, ids, self.padding_idx)
