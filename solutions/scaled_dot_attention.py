"""Scaled dot-product attention with Q, K and V (day 4, 5.4 to 5.6 and A.4).

Try it: make check EX=scaled_dot_attention

In Bahdanau's attention one vector per position is both what is matched (key)
and what is fetched (value). The Transformer takes the roles apart: three
linear maps of the input make queries, keys and values, and
softmax(Q K^T / sqrt(d)) V does every query at once, for any number of heads.
Write it yourself: nn.MultiheadAttention and F.scaled_dot_product_attention
are not allowed.
Arguments stay as they are; results have their dtype and its full precision;
gradients reach every tensor that is passed in.
"""

import math

import torch
from torch import nn


def scaled_dot_attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    mask: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """softmax(q k^T / sqrt(d)) v over the keys that are not masked.

    Args:
        q: (..., Tq, d). Leading sizes, such as (B, heads), are any and equal.
        k: (..., Tk, d).
        v: (..., Tk, dv); dv may differ from d.
        mask: bool, broadcasts to (..., Tq, Tk), **True = masked out**; or
            None. No row is masked whole.

    Returns:
        output: (..., Tq, dv).
        weights: (..., Tq, Tk); rows sum to 1, and are 0 at masked keys.
    """
    # BEGIN SOLUTION scaled_dot_attention (TODO 1 of 5): scores, mask, softmax over the keys, weighted sum of v. About 5 lines.
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
    # END SOLUTION


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    """Cut the features of each position into heads.

    Args:
        x: (B, T, heads*d).
        heads: how many; head 0 owns the first d features of every position.

    Returns:
        (B, heads, T, d).
    """
    # BEGIN SOLUTION split_heads (TODO 2 of 5): view alone moves nothing; which two axes change places? 1 or 2 lines.
    B, T, _ = x.shape
    return x.reshape(B, T, heads, -1).transpose(1, 2)
    # END SOLUTION


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """The inverse of ``split_heads``: (B, heads, T, d) -> (B, T, heads*d)."""
    # BEGIN SOLUTION merge_heads (TODO 3 of 5): after joining, row t must still belong to position t. 1 line.
    return x.transpose(1, 2).flatten(2)
    # END SOLUTION


class ProjectedAttention(nn.Module):
    """Multi-head attention with projections of its own for q, k and v.

    ``W_Q``, ``W_K``, ``W_V`` are nn.Linear layers without bias, under exactly
    these names, each from ``dim`` to ``dim``; there is no output projection.
    """

    def __init__(self, dim: int, heads: int):
        """Make the three layers; ``heads`` divides ``dim``."""
        super().__init__()
        self.heads = heads
        # BEGIN SOLUTION ProjectedAttention.__init__ (TODO 4 of 5): W_Q, W_K and W_V. 3 lines.
        self.W_Q = nn.Linear(dim, dim, bias=False)
        self.W_K = nn.Linear(dim, dim, bias=False)
        self.W_V = nn.Linear(dim, dim, bias=False)
        # END SOLUTION

    def forward(
        self,
        x: torch.Tensor,
        memory: torch.Tensor,
        mask: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Let each position of ``x`` look into ``memory``.

        Self-attention is the call with ``memory`` = ``x``.

        Args:
            x: (B, Tq, dim), where the queries come from.
            memory: (B, Tk, dim), where keys and values come from.
            mask: (B, Tq, Tk) bool, True = masked out, for all heads; or None.

        Returns:
            output: (B, Tq, dim), the heads joined.
            weights: (B, heads, Tq, Tk).
        """
        # BEGIN SOLUTION ProjectedAttention.forward (TODO 5 of 5): project, split, attend (a mask needs an axis for the heads), merge. About 7 lines.
        q = split_heads(self.W_Q(x), self.heads)
        k = split_heads(self.W_K(memory), self.heads)
        v = split_heads(self.W_V(memory), self.heads)
        if mask is not None:
            mask = mask.unsqueeze(1)  # (B, Tq, Tk) -> (B, 1, Tq, Tk)
        output, weights = scaled_dot_attention(q, k, v, mask)
        return merge_heads(output), weights
        # END SOLUTION
