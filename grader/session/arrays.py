"""numpy arrays for the session: compared, described and shown, as tensors are."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.results import Table
from grader.session import show

MOST = show.MOST
RTOL, ATOL = 1e-4, 1e-6  # of naming: as for tensors


def is_array(value: Any) -> bool:
    """True for an array and nothing else, not even a subclass of one."""
    return type(value) is np.ndarray


def as_sent_and_now(
    value: np.ndarray, read: Callable[[int], bytes]
) -> tuple[np.ndarray, np.ndarray]:
    """An input as it was sent and as it stands in our memory now, both flat.

    Args:
        value: what was sent.
        read: gives so many bytes of the memory where it was put.
    """
    sent = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
    return sent, np.frombuffer(read(sent.nbytes), dtype=np.uint8)


def same(a: np.ndarray, b: Any) -> bool:
    """Equal within tolerance, of one shape and dtype; NaN equals NaN."""
    if not is_array(b) or a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind not in "fc":
        return bool((a == b).all())
    return bool(np.allclose(a, b, rtol=RTOL, atol=ATOL, equal_nan=True))


def describe(value: Any) -> str:
    """A short description of any value: kind first, content when it is small."""
    if is_array(value):
        return f"an array of shape {value.shape}, {value.dtype}"
    return show.describe(value)


def numbers(value: np.ndarray, most: int = 8) -> str:
    """Up to ``most`` numbers of an array on one line."""
    flat = value.reshape(-1)
    shown = ", ".join(f"{v:.4g}" for v in flat[:most].tolist())
    shown += ", ..." if flat.size > most else ""
    return shown if value.ndim == 0 else f"[{shown}]"


def table(name: str, value: np.ndarray, *, highlight: int | None = None) -> Table:
    """An array as a table of at most 12 x 12 numbers (the first 2-d slice)."""
    grid = value
    while grid.ndim > 2:
        grid = grid[0] if len(grid) else np.zeros((0, 0))
    grid = grid.reshape(1, -1) if grid.ndim < 2 else grid
    wide = (np.abs(grid) if grid.dtype.kind == "c" else grid).astype(np.float64)
    rows = [
        [x if math.isfinite(x) else None for x in row]
        for row in wide[:MOST, :MOST].tolist()
    ]
    if highlight is not None and highlight >= len(rows):
        highlight = None
    return Table(
        name=name,
        rows=rows,
        shape=list(value.shape),
        dtype=str(value.dtype),
        highlight=highlight,
    )
