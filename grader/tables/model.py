"""One table of the course beside our own numbers, as typed data."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Get = Callable[[str], Any]
"""``get("ngram_lm")`` answers with an object that has that exercise's names."""


@dataclass(frozen=True)
class Row:
    """One figure: what the course prints, what came out here, and the verdict."""

    name: str
    course: str
    ours: str
    tolerance: str
    ok: bool


@dataclass(frozen=True)
class CourseTable:
    """A table of the course. ``problem`` says why it could not be made."""

    title: str
    section: str
    exercises: tuple[str, ...]
    rows: list[Row] = field(default_factory=list)
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Every row is within its tolerance, and there is one."""
        return not self.problem and bool(self.rows) and all(r.ok for r in self.rows)


@dataclass(frozen=True)
class Maker:
    """How one table is made: a generator of rows, with what heads the table."""

    title: str
    section: str
    exercises: tuple[str, ...]
    rows: Callable[[Get], Iterator[Row]]


MAKERS: list[Maker] = []


def course_table(
    title: str, section: str, *exercises: str
) -> Callable[[Callable[[Get], Iterator[Row]]], Callable[[Get], Iterator[Row]]]:
    """Register the generator of a table's rows."""

    def register(
        rows: Callable[[Get], Iterator[Row]],
    ) -> Callable[[Get], Iterator[Row]]:
        MAKERS.append(Maker(title, section, exercises, rows))
        return rows

    return register


def exactly(name: str, course: str, ours: str) -> Row:
    """The same digits as the course prints."""
    return Row(name, course, ours, "exact", course == ours)


def within(
    name: str, course: float, ours: float, *, share: float = 0.0, by: float = 0.0
) -> Row:
    """Within a share of the course's value, or within an absolute distance."""
    slack = abs(course) * share + by
    words = f"±{share:.0%}" if share else f"±{by:g}"
    return Row(name, show(course), show(ours), words, abs(ours - course) <= slack)


def factor(name: str, course: float, ours: float, most: float) -> Row:
    """Within a factor of the course's value: for figures that span powers of ten."""
    ok = ours > 0 and abs(math.log(ours / course)) <= math.log(most)
    return Row(name, show(course), show(ours), f"factor {most:g}", ok)


def holds(name: str, course: str, ours: str, ok: bool) -> Row:
    """A statement of the course rather than a number."""
    return Row(name, course, ours, "holds", ok)


def show(value: float) -> str:
    """A number as the course would print it: short, powers of ten when far from 1."""
    if value == 0 or 1e-2 <= abs(value) < 1e4:
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return f"{value:.1e}"
