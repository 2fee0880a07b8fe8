"""Which positions of the input move the answer, found by moving each of them.

For a padded batch it shows at once whether what stands in the padding counts,
and whether something that must count does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch

MOST_STEPS = 8
MOVED = 1e-6  # less is rounding


class Padded(NamedTuple):
    """A padded input among the arguments of a call, and what is padding in it."""

    place: int
    value: torch.Tensor
    padding: torch.Tensor  # (B, T) bool, True = padding or masked out


class Influence(NamedTuple):
    """(B, T): how far the answer of a row moves with each position of that row."""

    moved: torch.Tensor
    padding: torch.Tensor

    @property
    def is_telling(self) -> bool:
        """Padding counts, or something beside it does not."""
        counts = self.moved > MOVED
        return bool((counts == self.padding).any())


def find_padded(args: Sequence[Any]) -> Padded | None:
    """A float tensor (B, T, D) with lengths (B,) or a mask (B, T) beside it."""
    for place, value in enumerate(args):
        if not isinstance(value, torch.Tensor) or value.dim() != 3:
            continue
        if not value.dtype.is_floating_point or value.shape[1] > MOST_STEPS:
            continue
        for other in args:
            padding = _padding(value.shape[:2], other)
            if padding is not None and bool(padding.any()):
                return Padded(place, value.detach(), padding)
    return None


def _padding(shape: Sequence[int], beside: Any) -> torch.Tensor | None:
    if not isinstance(beside, torch.Tensor):
        return None
    if beside.dtype is torch.bool and tuple(beside.shape) == tuple(shape):
        return beside
    if beside.dtype is not torch.int64 or tuple(beside.shape) != (shape[0],):
        return None
    if int(beside.min()) < 1 or int(beside.max()) > shape[1]:
        return None
    return torch.arange(shape[1]) >= beside[:, None]


def measure(
    call: Callable[[Any], Any], padded: Padded, row_axis: Callable[[Any], int | None]
) -> Influence | None:
    """Move each position in turn, in all rows at once, and watch the answer.

    Args:
        call: makes the call with another value in the padded input's place, and
            gives the tensor that is watched (None: there is none).
        padded: the input.
        row_axis: the axis of that tensor that counts the rows.
    """
    plain = call(padded.value)
    axis = row_axis(plain)
    if axis is None:
        return None
    columns = []
    for step in range(padded.value.shape[1]):
        other = padded.value.clone()
        other[:, step] += 1.0
        moved = call(other)
        if row_axis(moved) != axis or moved.shape != plain.shape:
            return None
        gap = (moved - plain).detach().double().abs().nan_to_num(nan=1.0)
        columns.append(gap.movedim(axis, 0).reshape(plain.shape[axis], -1).amax(1))
    return Influence(torch.stack(columns, 1), padded.padding)
