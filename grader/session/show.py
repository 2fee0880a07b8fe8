"""Answers in words and small tables, for reports. Nothing here judges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grader.results import Table

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch

MOST = 12  # rows and columns of a table


def describe(value: Any) -> str:
    """A short description of any value: kind first, content when it is small."""
    if value is None:
        return "None (was a return forgotten?)"
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)}, {_dtype(value)}"
    if isinstance(value, bool | int | float):
        return f"{value!r}"
    if isinstance(value, str):
        return f"the string {value[:60]!r}"
    if isinstance(value, list | tuple):
        kind = type(value).__name__
        if len(value) <= 8 and all(isinstance(v, bool | int | float) for v in value):
            return f"{value!r}"
        return f"a {kind} of {len(value)}"
    if isinstance(value, dict):
        return f"a dict with {len(value)} keys"
    words = getattr(value, "_words", None)
    return words if isinstance(words, str) else f"an object of {type(value).__name__}"


def numbers(value: torch.Tensor, most: int = 8) -> str:
    """Up to ``most`` numbers of a tensor on one line."""
    flat = value.detach().reshape(-1)
    shown = ", ".join(_number(v) for v in flat[:most].tolist())
    if flat.numel() > most:
        shown += ", ..."
    if value.dim() == 0:
        return shown
    return f"[{shown}]"


def _number(value: Any) -> str:
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, complex):
        return f"{value:.4g}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def table(
    name: str,
    value: torch.Tensor,
    *,
    at: Sequence[int] = (),
    masked: torch.Tensor | None = None,
    highlight: int | None = None,
    with_sums: bool = False,
) -> Table:
    """A tensor as a table of at most 12 x 12 numbers.

    Args:
        name: what it is.
        value: of any shape; of more than two axes one slice is shown.
        at: which one: an index for each leading axis, 0 where none is given.
        masked: bool, of the shape of ``value``: True = masked out.
        highlight: the row of the slice that breaks the property.
        with_sums: sums of the rows say something.
    """
    lead = (*at, *([0] * value.dim()))[: max(value.dim() - 2, 0)]
    if lead and value.numel():
        name = f"{name} [{', '.join(map(str, lead))}]"
    grid = _grid(value, lead)
    wide = grid.double() if not grid.dtype.is_complex else grid.abs().double()
    rows = [[_cell(x) for x in row] for row in wide[:MOST, :MOST].tolist()]
    sums = None
    if with_sums:
        sums = [float(s) for s in wide[:MOST].sum(1).tolist() if math.isfinite(s)]
        sums = sums if len(sums) == len(rows) else None
    hidden = None
    if masked is not None:
        hidden = _grid(masked, lead)[:MOST, :MOST].bool().tolist()
    if highlight is not None and highlight >= len(rows):
        highlight = None
    return Table(
        name=name,
        rows=rows,
        shape=list(value.shape),
        dtype=_dtype(value),
        masked=hidden,
        sums=sums,
        highlight=highlight,
    )


def _grid(value: torch.Tensor, lead: Sequence[int]) -> torch.Tensor:
    value = value.detach()
    if value.dim() > 2 and not value.numel():
        return value.new_zeros(0, 0)
    for index in lead:
        value = value[index]
    return value.reshape(1, -1) if value.dim() < 2 else value


def _cell(x: float) -> float | None:
    # JSON has no NaN: a cell that is not finite is None, the words say which.
    return x if math.isfinite(x) else None


def _dtype(value: torch.Tensor) -> str:
    return str(value.dtype).removeprefix("torch.")
