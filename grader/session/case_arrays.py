"""One case in a course that works with numpy: the draws of ``Case``, as arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from grader.session.case import Case


def kind_of_case(libraries: Iterable[str]) -> type[Case]:
    """What draws in a course with these libraries: tensors, or arrays."""
    return Case if "torch" in libraries else ArrayCase


class ArrayCase(Case):
    """Seeded draws for one check, from numpy's own generator.

    ``sizes``, ``integer`` and ``once`` are those of every case; what is drawn as
    a tensor elsewhere is an array here. ``simplify`` as in ``Case``.
    """

    def __init__(
        self,
        seed: int,
        cache: dict[str, Any] | None = None,
        simplify: Callable[[str, str, Any], Any] | None = None,
    ) -> None:
        super().__init__(seed, cache, simplify)
        self._numbers = np.random.Generator(np.random.PCG64(seed))

    @property
    def generator(self) -> Any:
        """The source of all draws, of numpy."""
        return self._numbers

    def _draw(self, lo: int, hi: int) -> int:
        return int(self.generator.integers(lo, hi + 1))

    def randn(self, *shape: int, scale: float = 1.0, name: str = "") -> Any:  # type: ignore[override]
        """Normal numbers of standard deviation ``scale``, float64."""
        value = self.generator.standard_normal(shape) * scale
        return self._keep("randn", name, value)

    def rand(  # type: ignore[override]
        self, *shape: int, lo: float = 0.0, hi: float = 1.0, name: str = ""
    ) -> Any:
        """Uniform numbers in [lo, hi), float64."""
        value = self.generator.random(shape) * (hi - lo) + lo
        return self._keep("rand", name, value)

    def randint(self, lo: int, hi: int, *shape: int, name: str = "") -> Any:
        """Integers in [lo, hi), int64."""
        value = self.generator.integers(lo, hi, shape)
        return self._keep("randint", name, value)

    def bool(self, *shape: int, p: float = 0.5, name: str = "") -> Any:
        """Booleans that are True with probability ``p``."""
        return self._keep("bool", name, self.generator.random(shape) < p)

    def mask(self, *shape: int, full_rows: int = 0, name: str = "") -> Any:
        """A mask, True = masked out, of ``shape`` (..., T).

        Each row keeps at least one valid position and masks at least one (for
        T > 1); then ``full_rows`` of the rows are masked whole.
        """
        size, rows = shape[-1], math.prod(shape[:-1])
        order = self.generator.random((rows, size)).argsort(1)
        count = self.generator.integers(1, max(size, 2), (rows, 1))
        value = (order < count) & (size > 1)
        value[self.generator.permutation(rows)[:full_rows]] = True
        return self._keep("mask", name, value.reshape(shape))

    def lengths(self, n: int, lo: int, hi: int, name: str = "") -> Any:
        """(n,) int64 lengths in lo..hi, in no order, not all equal when n > 1.

        For n > 1 and hi > lo they are never sorted in decreasing order.
        """
        value = self.generator.integers(lo, hi + 1, n)
        if n > 1 and hi > lo and bool((value[:-1] >= value[1:]).all()):
            value.sort()
            if value[0] == value[-1]:
                value[0], value[-1] = lo, hi
        return self._keep("lengths", name, value)

    def permutation(self, n: int, name: str = "") -> Any:
        """A permutation of 0..n-1 that is not the identity (for n > 1), int64."""
        value = self.generator.permutation(n)
        if n > 1 and bool((value == np.arange(n)).all()):
            value = np.roll(value, 1)
        return self._keep("permutation", name, value)
