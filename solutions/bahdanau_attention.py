"""Bahdanau attention (day 4, 5.2 and 5.5).

Try it: make check EX=bahdanau_attention

A decoder that may look back needs three steps: score every encoder state
against its own state, turn the scores into weights, and read out the
weighted sum. Here the score is a small network, and the keys are the values.
Write the three steps yourself: nn.MultiheadAttention and
F.scaled_dot_product_attention are not allowed.
Arguments stay as they are, results keep their dtype, and gradients reach the
layers, the query and the keys.
"""

import torch
from torch import nn


class BahdanauAttention(nn.Module):
    """Additive attention of one query per sample over a row of keys.

        score[j] = v · tanh(W_query query + W_key keys[j])
        weights  = softmax of the scores over the keys that are not masked
        context  = sum over j of weights[j] * keys[j]

    ``W_query``, ``W_key`` and ``v`` are nn.Linear layers without bias, under
    exactly these names; the scores are not scaled.
    """

    def __init__(self, query_dim: int, key_dim: int, attn_dim: int):
        """Make the three layers.

        Args:
            query_dim: Dq, size of a query.
            key_dim: Dk, size of a key.
            attn_dim: Da, size of the space in which the two are added.
        """
        super().__init__()
        # BEGIN SOLUTION BahdanauAttention.__init__ (TODO 1 of 2): W_query, W_key and v, which gives one number per key. 3 lines.
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)
        # END SOLUTION

    def forward(
        self,
        query: torch.Tensor,
        keys: torch.Tensor,
        mask: torch.Tensor | None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Look up ``query`` among ``keys``.

        Args:
            query: (B, Dq), for example the decoder's state.
            keys: (B, Tk, Dk), for example all the encoder's states.
            mask: (B, Tk) bool, **True = masked out**, or None.

        Returns:
            context: (B, Dk), the weighted sum of ``keys``.
            weights: (B, Tk), 0 at masked keys; each row sums to 1. In a row
                that is masked whole: finite numbers, no NaN.
        """
        # BEGIN SOLUTION BahdanauAttention.forward (TODO 2 of 2): scores, weights, context, in this order; watch the shapes when B or Tk is 1. About 8 lines.
        projected = self.W_query(query).unsqueeze(1) + self.W_key(keys)
        # (B, Tk, Da) -> (B, Tk, 1) -> (B, Tk)
        scores = self.v(torch.tanh(projected)).squeeze(-1)
        if mask is not None:
            scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores, dim=-1)
        # (B, 1, Tk) @ (B, Tk, Dk) -> (B, 1, Dk) -> (B, Dk)
        context = (weights.unsqueeze(1) @ keys).squeeze(1)
        return context, weights
        # END SOLUTION
