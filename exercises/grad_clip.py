"""Clipping gradients by their global norm (day 4, 2.4 and A.6).

Try it: make check EX=grad_clip

Exploding gradients have a cheap cure: when the gradient of *all* parameters
together, taken as one long vector, is longer than max_norm, shorten it to
max_norm. One factor for all parameters, so the direction stays. The norm
before clipping is worth logging: a sudden rise is the first sign of trouble.
Write it yourself, without the functions of torch.nn.utils.
"""

import torch
from torch import nn


def global_norm(grads: list[torch.Tensor | None]) -> torch.Tensor:
    """The Euclidean norm of all gradients as one vector.

    Args:
        grads: gradients of any shapes; None stands for a parameter that the
            loss did not reach, and counts as nothing.

    Returns:
        0-d tensor; 0 when there is no gradient at all.
    """
    # TODO 1 of 2: one norm over all entries, None left out. About 4 lines.
    raise NotImplementedError("global_norm (TODO 1 of 2)")


def clip_gradients(model: nn.Module, max_norm: float) -> torch.Tensor:
    """Clip the gradients of ``model`` in place.

    Called between ``loss.backward()`` and ``optimizer.step()``. Gradients
    whose global norm is at most ``max_norm`` stay as they are; parameters
    themselves never change.

    Args:
        model: its parameters' ``.grad`` are read and changed; some may be
            None and stay None.
        max_norm: the longest allowed norm, positive.

    Returns:
        0-d tensor: the global norm *before* clipping.

    Raises:
        ValueError: the norm is NaN or infinite. No factor mends that; the
            gradients are left as they are.
    """
    # TODO 2 of 2: the norm, its check, then one factor for all, applied in
    # place. About 8 lines.
    raise NotImplementedError("clip_gradients (TODO 2 of 2)")
