"""Points as text and back; scores that are sums of exercises."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

ZERO = Decimal(0)


def to_text(points: Decimal | None) -> str | None:
    """Plain decimal text without an exponent: Decimal("1E+2") is "100"."""
    return None if points is None else format(points, "f")


def from_text(text: str | None) -> Decimal | None:
    """The inverse of ``to_text``."""
    return None if text is None else Decimal(text)


def total(points: Iterable[Decimal]) -> Decimal:
    """An exact sum."""
    return sum(points, ZERO)


def clamp(points: Decimal, most: Decimal) -> Decimal:
    """Points within 0..most."""
    return min(max(points, ZERO), most)
