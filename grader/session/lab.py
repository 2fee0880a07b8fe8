"""The ``lab`` fixture: what is expensive is made once, and shown while it is made.

A lab's checks share one training: the first of them runs it and keeps what came
out, those marked ``after`` it find that here. Nothing that student code reports
on the way is kept: points come from what the checks measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from grader.errors import SuiteError
from grader.results import Curve, Figure, HeatMap
from grader.session.workers.faults import WorkerTimeoutError

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch

T = TypeVar("T")
TRIES = 3
MOST_CURVES, MOST_POINTS, MOST_SIDE = 8, 120, 24


class Machine(Protocol):
    """What a lab needs from whatever runs the calls of a check."""

    kept: dict[str, Any]
    figures: list[Figure]

    def reporter(self, label: str, done: int, most: int | None) -> Any:
        """A function of the worker's that tells progress; see ``Lab.reporter``."""

    def reseed(self, number: int) -> None:
        """Seed the worker's generators for try ``number``."""

    def cpu_used_s(self) -> float:
        """CPU seconds that this check has used."""

    def cpu_allowed_s(self) -> float:
        """CPU seconds that this check may use."""


class Lab:
    """What the checks of one exercise of one submission share."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def reporter(self, label: str, done: int = 0, most: int | None = None) -> Any:
        """An argument for student code: ``report(step, steps, value)``.

        Args:
            label: our words for what is running, shown beside the numbers.
            done: steps that earlier calls have done.
            most: steps in all; None leaves it to what is reported.
        """
        return self._machine.reporter(label, done, most)

    def best_of(
        self,
        attempt: Callable[[int], tuple[float, T]],
        enough: float,
        tries: int = TRIES,
    ) -> tuple[float, T]:
        """The best of some tries, each under a seed of its own.

        Another try is made only while none was good enough and the longest so
        far would still fit into the check's budget.

        Args:
            attempt: makes try ``number`` (0, 1, ...); gives (score, result),
                where a lower score is better.
            enough: a score that needs no further try.
            tries: the most that are made.

        Raises:
            WorkerTimeoutError: the very first try did not end in time.
        """
        best: tuple[float, T] | None = None
        longest = 0.0
        for number in range(tries):
            before = self._machine.cpu_used_s()
            self._machine.reseed(number)
            try:
                found = attempt(number)
            except WorkerTimeoutError:
                if best is None:
                    raise
                break
            longest = max(longest, self._machine.cpu_used_s() - before)
            if best is None or _rank(found[0]) < _rank(best[0]):
                best = found
            room = self._machine.cpu_allowed_s() - self._machine.cpu_used_s()
            if _rank(best[0]) <= enough or room < 1.2 * longest:
                break
        assert best is not None
        return best

    def same_draws(self, number: int = 0) -> None:
        """Seed the worker's generators: what is compared starts from one seed."""
        self._machine.reseed(number)

    def keep(self, name: str, value: Any) -> None:
        """Keep a result for the checks that come after this one."""
        self._machine.kept[name] = value

    def kept(self, name: str) -> Any:
        """What an earlier check kept.

        Raises:
            SuiteError: nothing was; mark this check ``after`` the one that keeps it.
        """
        if name not in self._machine.kept:
            raise SuiteError(f"no check kept {name!r} before this one")
        return self._machine.kept[name]

    def curves(
        self,
        title: str,
        curves: Sequence[Curve],
        *,
        x: str = "step",
        y: str = "loss",
        level: float | None = None,
    ) -> None:
        """Show curves in the report; long ones are thinned.

        Args:
            title: what the figure is called.
            curves: at most 8.
            x: what is counted along the horizontal axis.
            y: what is measured.
            level: a horizontal line to compare with.
        """
        thin = [_thinned(c) for c in curves[:MOST_CURVES]]
        self._machine.figures.append(
            Figure(title=title, x=x, y=y, curves=thin, level=level)
        )

    def heat_map(
        self, title: str, numbers: torch.Tensor, *, rows: str, columns: str
    ) -> None:
        """Show a matrix in the report, at most 24 x 24 of it.

        Args:
            title: what the figure is called.
            numbers: (R, C), from 0 to 1.
            rows: what a row is.
            columns: what a column is.
        """
        part = numbers.detach().double()[:MOST_SIDE, :MOST_SIDE]
        cells = [[_finite(v) for v in row] for row in part.tolist()]
        self._machine.figures.append(
            Figure(title=title, x=columns, y=rows, heat_map=HeatMap(cells))
        )


def _rank(score: float) -> float:
    return math.inf if math.isnan(score) else score


def _finite(value: Any) -> float | None:
    """A plain number that can be drawn; what student code returned may be none."""
    sound = type(value) in (int, float) and math.isfinite(value)
    return round(float(value), 6) if sound else None


def _thinned(curve: Curve) -> Curve:
    """At most MOST_POINTS points, the last one among them."""
    every = max(1, -(-len(curve.x) // MOST_POINTS))
    chosen = sorted({*range(0, len(curve.x), every), len(curve.x) - 1} - {-1})
    return Curve(
        name=curve.name,
        x=[float(curve.x[i]) for i in chosen],
        y=[_finite(curve.y[i]) for i in chosen],
        told=curve.told,
    )
