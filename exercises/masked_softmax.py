"""Masked softmax (day 4, A.4).

Try it: make check EX=masked_softmax

Attention shares out a total weight of 1 over the positions that exist.
Padding is no position: it must get nothing, and what it would have got goes
to the others. Everything else in this course leans on this function.
"""

import torch


def masked_softmax(
    scores: torch.Tensor, mask: torch.Tensor | None, dim: int = -1
) -> torch.Tensor:
    """Softmax over the positions along ``dim`` that are not masked out.

    With V the set of valid positions of a row (a slice along ``dim``):
        weights[j] = exp(scores[j]) / sum of exp(scores[k]) over k in V
    for j in V, and weights[j] = 0 for every other j.

    Args:
        scores: any shape; float16, bfloat16, float32 or float64. Valid scores
            lie within (-9e3, 1e3); a masked one may be any finite number.
        mask: bool, **True = masked out**; broadcasts to ``scores``, for
            example (B, 1, Tk) or (Tk,) beside (B, Tq, Tk). None masks nothing.
        dim: the dimension that is normalised, as in ``torch.softmax``.

    Returns:
        weights: same shape and dtype as ``scores``. A row that is masked
            whole may be all zeros or uniform, but never NaN: neither here nor
            in a gradient. ``scores`` and ``mask`` stay as they were.
    """
    # TODO 1 of 1: weights of valid positions sum to 1, the others get 0, in
    # every dtype and without NaN. About 4 lines.
    raise NotImplementedError("masked_softmax (TODO 1 of 1)")
