"""One case: the sizes and inputs that a check draws, from a secret seed.

Every draw goes through a ``Case``, in order, so that the same seed gives the
same inputs in any order of checks and any number of jobs, and so that a case
can be replayed with smaller sizes or simpler values.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch


T = TypeVar("T")


def case_seed(seed: str, exercise: str, check: str) -> int:
    """The seed of one check: HMAC-SHA256(seed, exercise/check), 63 bits."""
    message = f"{exercise}/{check}".encode()
    digest = hmac.new(seed.encode(), message, hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big") >> 1


class Case:
    """Seeded draws for one check.

    Args:
        seed: an integer, see ``case_seed``.
        cache: where ``once`` keeps references over submissions.
        simplify: replaces drawn values by simpler ones when a failing case is
            shrunk: ``simplify(kind, name, value) -> value``.
    """

    def __init__(
        self,
        seed: int,
        cache: dict[str, Any] | None = None,
        simplify: Callable[[str, str, Any], Any] | None = None,
    ) -> None:
        self.seed = seed
        self.generator = torch.Generator().manual_seed(seed)
        self.drawn: list[tuple[str, Any]] = []
        self._cache = {} if cache is None else cache
        self._simplify = simplify

    def _keep(self, kind: str, name: str, value: T) -> T:
        if self._simplify is not None:
            value = cast(T, self._simplify(kind, name, value))
        self.drawn.append((name or kind, value))
        return value

    def integer(self, lo: int, hi: int, name: str = "") -> int:
        """One int, lo and hi included."""
        return int(self._keep("integer", name, self._draw(lo, hi)))

    def _draw(self, lo: int, hi: int) -> int:
        return int(torch.randint(lo, hi + 1, (), generator=self.generator))

    def sizes(self, **ranges: tuple[int, int]) -> tuple[int, ...]:
        """Sizes from inclusive ranges, pairwise different, in keyword order.

        Raises:
            ValueError: the ranges leave no way to be pairwise different.
        """
        for _ in range(200):
            found = [self._draw(lo, hi) for lo, hi in ranges.values()]
            if len(set(found)) == len(found):
                break
        else:
            raise ValueError(f"no pairwise different sizes in {ranges}")
        return tuple(
            int(self._keep("size", name, value))
            for name, value in zip(ranges, found, strict=True)
        )

    def randn(
        self,
        *shape: int,
        dtype: torch.dtype = torch.float32,
        scale: float = 1.0,
        requires_grad: bool = False,
        name: str = "",
    ) -> torch.Tensor:
        """Normal numbers of standard deviation ``scale``; a leaf."""
        value = torch.randn(*shape, generator=self.generator, dtype=torch.float64)
        value = self._keep("randn", name, (value * scale).to(dtype))
        return value.requires_grad_(requires_grad)

    def rand(
        self,
        *shape: int,
        lo: float = 0.0,
        hi: float = 1.0,
        dtype: torch.dtype = torch.float32,
        requires_grad: bool = False,
        name: str = "",
    ) -> torch.Tensor:
        """Uniform numbers in [lo, hi); a leaf."""
        value = torch.rand(*shape, generator=self.generator, dtype=torch.float64)
        value = self._keep("rand", name, (value * (hi - lo) + lo).to(dtype))
        return value.requires_grad_(requires_grad)

    def randint(self, lo: int, hi: int, *shape: int, name: str = "") -> torch.Tensor:
        """Integers in [lo, hi), int64."""
        value = torch.randint(lo, hi, shape, generator=self.generator)
        return self._keep("randint", name, value)

    def bool(self, *shape: int, p: float = 0.5, name: str = "") -> torch.Tensor:
        """Booleans that are True with probability ``p``."""
        value = torch.rand(*shape, generator=self.generator) < p
        return self._keep("bool", name, value)

    def mask(self, *shape: int, full_rows: int = 0, name: str = "") -> torch.Tensor:
        """A mask, True = masked out, of ``shape`` (..., T).

        Each row keeps at least one valid position and masks at least one (for
        T > 1); then ``full_rows`` of the rows are masked whole.
        """
        size = shape[-1]
        rows = 1
        for n in shape[:-1]:
            rows *= n
        order = torch.rand(rows, size, generator=self.generator).argsort(1)
        high = max(size - 1, 1)
        count = torch.randint(1, high + 1, (rows, 1), generator=self.generator)
        value = order < count if size > 1 else torch.zeros(rows, size).bool()
        whole = torch.randperm(rows, generator=self.generator)[:full_rows]
        value[whole] = True
        return self._keep("mask", name, value.reshape(shape))

    def lengths(self, n: int, lo: int, hi: int, name: str = "") -> torch.Tensor:
        """(n,) int64 lengths in lo..hi, in no order, not all equal when n > 1.

        For n > 1 and hi > lo they are never sorted in decreasing order.
        """
        value = torch.randint(lo, hi + 1, (n,), generator=self.generator)
        if n > 1 and hi > lo and bool((value[:-1] >= value[1:]).all()):
            value = value.sort().values
            if bool((value == value[0]).all()):
                value[0] = lo if int(value[0]) > lo else value[0]
                value[-1] = hi
            if bool((value[:-1] >= value[1:]).all()):
                value[0], value[-1] = lo, hi
        return self._keep("lengths", name, value)

    def permutation(self, n: int, name: str = "") -> torch.Tensor:
        """A permutation of 0..n-1 that is not the identity (for n > 1), int64."""
        value = torch.randperm(n, generator=self.generator)
        if n > 1 and bool((value == torch.arange(n)).all()):
            value = value.roll(1)
        return self._keep("permutation", name, value)

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """A reference value, computed once for this check and seed.

        ``make`` may depend on this case's draws only, never on an answer.
        """
        key = f"{self.seed}/{name}"
        if self._simplify is not None:
            return make()
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]
