"""How much of a tolerance an answer uses up, for those who ask.

A right answer that uses half of it under some seed fails under another: that is
seen here long before a verdict shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch

_listeners: list[list[float]] = []


@contextmanager
def watched() -> Iterator[list[float]]:
    """While it is open each comparison adds the share of its tolerance, 0 to 1."""
    shares: list[float] = []
    _listeners.append(shares)
    try:
        yield shares
    finally:
        _listeners.pop()


def note(gap: torch.Tensor, slack: torch.Tensor | float) -> None:
    """Tell who listens of a comparison that held.

    Args:
        gap: differences, float64, of any shape.
        slack: what they may be, of a shape that fits; 0 asks for the same number.
    """
    if not _listeners or not gap.numel():
        return
    share = gap / torch.as_tensor(slack, dtype=torch.float64)
    share = share[torch.isfinite(share)]  # neither 0 / 0 nor two infinities
    if share.numel():
        for shares in _listeners:
            shares.append(float(share.max()))
