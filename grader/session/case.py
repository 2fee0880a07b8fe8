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

from grader.session.draws import MAKE, Draw, Tape, copy

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
        self.drawn: list[tuple[str, Any]] = []
        self._cache = {} if cache is None else cache
        self._simplify = simplify
        self._source: torch.Generator | None = None
        self._tape: Tape = self._cache.setdefault(f"{seed}/draws", Tape())
        self._at = 0  # draws so far

    @property
    def generator(self) -> torch.Generator:
        """What all draws come from, as it stands after those so far."""
        if self._source is None:
            self._source = torch.Generator().manual_seed(self.seed)
            for draw in self._tape.draws[: self._at]:
                MAKE[draw.kind](self._source, *draw.asked)
        return self._source

    def _draw_anew(self, kind: str, *asked: Any) -> Any:
        """The next draw: from the tape where an earlier run made the same one.

        Submissions are many and the draws of a check are the same for each.
        """
        at, self._at = self._at, self._at + 1
        tape = self._tape.draws
        if self._source is None and at < len(tape):
            draw = tape[at]
            if draw.kind == kind and draw.asked == asked:
                return copy(draw.value)
            self._at = at  # this run goes another way: on without the tape
            self.generator  # noqa: B018  (brought to where the tape was left)
            self._at = at + 1
        value = MAKE[kind](self.generator, *asked)
        if at == len(tape):
            self._tape.add(Draw(kind, asked, copy(value)))
        return value

    def _keep(self, kind: str, name: str, value: T) -> T:
        if self._simplify is not None:
            value = cast(T, self._simplify(kind, name, value))
        self.drawn.append((name or kind, value))
        return value

    def integer(self, lo: int, hi: int, name: str = "") -> int:
        """One int, lo and hi included."""
        return int(self._keep("integer", name, self._draw(lo, hi)))

    def _draw(self, lo: int, hi: int) -> int:
        return int(self._draw_anew("integer", lo, hi))

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
        value: torch.Tensor = self._draw_anew("randn", shape, scale, dtype)
        value = self._keep("randn", name, value)
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
        value: torch.Tensor = self._draw_anew("rand", shape, lo, hi, dtype)
        value = self._keep("rand", name, value)
        return value.requires_grad_(requires_grad)

    def randint(self, lo: int, hi: int, *shape: int, name: str = "") -> torch.Tensor:
        """Integers in [lo, hi), int64."""
        value: torch.Tensor = self._draw_anew("randint", lo, hi, shape)
        return self._keep("randint", name, value)

    def bool(self, *shape: int, p: float = 0.5, name: str = "") -> torch.Tensor:
        """Booleans that are True with probability ``p``."""
        value: torch.Tensor = self._draw_anew("bool", shape, p)
        return self._keep("bool", name, value)

    def mask(self, *shape: int, full_rows: int = 0, name: str = "") -> torch.Tensor:
        """A mask, True = masked out, of ``shape`` (..., T).

        Each row keeps at least one valid position and masks at least one (for
        T > 1); then ``full_rows`` of the rows are masked whole.
        """
        value: torch.Tensor = self._draw_anew("mask", shape, full_rows)
        return self._keep("mask", name, value)

    def lengths(self, n: int, lo: int, hi: int, name: str = "") -> torch.Tensor:
        """(n,) int64 lengths in lo..hi, in no order, not all equal when n > 1.

        For n > 1 and hi > lo they are never sorted in decreasing order.
        """
        value: torch.Tensor = self._draw_anew("lengths", n, lo, hi)
        return self._keep("lengths", name, value)

    def permutation(self, n: int, name: str = "") -> torch.Tensor:
        """A permutation of 0..n-1 that is not the identity (for n > 1), int64."""
        value: torch.Tensor = self._draw_anew("permutation", n)
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
