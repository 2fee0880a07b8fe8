"""What a case draws, and the tape that keeps the draws of a check.

Each draw is a function of a generator and of what was asked, so that it can be made
again: where the tape was left, or with other sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch

MOST_BYTES = 1 << 22  # of a check's tape


class Draw(NamedTuple):
    """One draw: of which kind, what was asked, what came out."""

    kind: str
    asked: tuple[Any, ...]
    value: Any


class Tape:
    """The first draws of a check under one seed, kept over submissions."""

    def __init__(self) -> None:
        self.draws: list[Draw] = []
        self._left = MOST_BYTES

    def add(self, draw: Draw) -> None:
        """Keep one more, while there is room."""
        if isinstance(draw.value, torch.Tensor):
            self._left -= draw.value.numel() * draw.value.element_size()
        if self._left > 0:
            self.draws.append(draw)


def copy(value: Any) -> Any:
    """The same numbers in memory of their own."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    return value.copy() if isinstance(value, np.ndarray) else value


def _integer(generator: torch.Generator, lo: int, hi: int) -> int:
    return int(torch.randint(lo, hi + 1, (), generator=generator))


def _randn(generator: torch.Generator, shape: Any, scale: float, dtype: Any) -> Any:
    value = torch.randn(*shape, generator=generator, dtype=torch.float64)
    return (value * scale).to(dtype)


def _rand(
    generator: torch.Generator, shape: Any, lo: float, hi: float, dtype: Any
) -> Any:
    value = torch.rand(*shape, generator=generator, dtype=torch.float64)
    return (value * (hi - lo) + lo).to(dtype)


def _randint(generator: torch.Generator, lo: int, hi: int, shape: Any) -> Any:
    return torch.randint(lo, hi, shape, generator=generator)


def _bool(generator: torch.Generator, shape: Any, p: float) -> Any:
    return torch.rand(*shape, generator=generator) < p


def _mask(generator: torch.Generator, shape: Any, full_rows: int) -> Any:
    size = shape[-1]
    rows = 1
    for n in shape[:-1]:
        rows *= n
    order = torch.rand(rows, size, generator=generator).argsort(1)
    high = max(size - 1, 1)
    count = torch.randint(1, high + 1, (rows, 1), generator=generator)
    value = order < count if size > 1 else torch.zeros(rows, size).bool()
    whole = torch.randperm(rows, generator=generator)[:full_rows]
    value[whole] = True
    return value.reshape(shape)


def _lengths(generator: torch.Generator, n: int, lo: int, hi: int) -> Any:
    value = torch.randint(lo, hi + 1, (n,), generator=generator)
    if n > 1 and hi > lo and bool((value[:-1] >= value[1:]).all()):
        value = value.sort().values
        if bool((value == value[0]).all()):
            value[0] = lo if int(value[0]) > lo else value[0]
            value[-1] = hi
        if bool((value[:-1] >= value[1:]).all()):
            value[0], value[-1] = lo, hi
    return value


def _permutation(generator: torch.Generator, n: int) -> Any:
    value = torch.randperm(n, generator=generator)
    if n > 1 and bool((value == torch.arange(n)).all()):
        value = value.roll(1)
    return value


MAKE: dict[str, Callable[..., Any]] = {
    "integer": _integer,
    "randn": _randn,
    "rand": _rand,
    "randint": _randint,
    "bool": _bool,
    "mask": _mask,
    "lengths": _lengths,
    "permutation": _permutation,
}
