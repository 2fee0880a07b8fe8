"""Answers in words and small tables, for reports. Nothing here judges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.results import Table
from grader.session.arrays import as_array, is_array

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
    if is_array(value):
        return f"an array of shape {value.shape}, {value.dtype}"
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


def numbers(value: torch.Tensor | np.ndarray, most: int = 8) -> str:
    """Up to ``most`` numbers of a tensor or an array on one line."""
    flat = as_array(value).reshape(-1)
    shown = ", ".join(_number(v) for v in flat[:most].tolist())
    if flat.size > most:
        shown += ", ..."
    if value.ndim == 0:
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
    value: torch.Tensor | np.ndarray,
    *,
    at: Sequence[int] = (),
    masked: torch.Tensor | np.ndarray | None = None,
    highlight: int | None = None,
    with_sums: bool = False,
) -> Table:
    """A tensor or an array as a table of at most 12 x 12 numbers.

    Args:
        name: what it is.
        value: of any shape; of more than two axes one slice is shown.
        at: which one: an index for each leading axis, 0 where none is given.
        masked: bool, of the shape of ``value``: True = masked out.
        highlight: the row of the slice that breaks the property.
        with_sums: sums of the rows say something.
    """
    lead = (*at, *([0] * value.ndim))[: max(value.ndim - 2, 0)]
    grid = _grid(value, lead)
    if lead and grid.size:
        name = f"{name} [{', '.join(map(str, lead))}]"
    with np.errstate(all="ignore"):
        wide = (np.abs(grid) if grid.dtype.kind == "c" else grid).astype(np.float64)
        totals = wide[:MOST].sum(1).tolist()
    rows = [[_cell(x) for x in row] for row in wide[:MOST, :MOST].tolist()]
    sums = None
    if with_sums:
        sums = [s for s in totals if math.isfinite(s)]
        sums = sums if len(sums) == len(rows) else None
    hidden = None
    if masked is not None:
        hidden = _grid(masked, lead)[:MOST, :MOST].astype(bool).tolist()
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


def _grid(value: torch.Tensor | np.ndarray, lead: Sequence[int]) -> np.ndarray:
    grid = as_array(value)
    if grid.ndim > 2 and not grid.size:
        return np.zeros((0, 0))
    for index in lead:
        grid = grid[index]
    return grid.reshape(1, -1) if grid.ndim < 2 else grid


def _cell(x: float) -> float | None:
    # JSON has no NaN: a cell that is not finite is None, the words say which.
    return x if math.isfinite(x) else None


def _dtype(value: torch.Tensor | np.ndarray) -> str:
    return str(value.dtype).removeprefix("torch.")
