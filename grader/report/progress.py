"""Progress of a batch: rate, time left and what went wrong so far."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from grader.results import SubmissionResult

STEPS = 10  # lines that a batch prints where there is no terminal


class Tally:
    """Counts what has been graded; ``advance`` is called once for each result."""

    def __init__(self, total: int, show: Callable[[Tally], None]) -> None:
        self.total = total
        self.done = 0
        self.full = 0
        self.below = 0
        self.without_score = 0
        self.grader_errors = 0
        self._show = show

    def advance(self, result: SubmissionResult) -> None:
        """Count one result and bring the display up to date."""
        self.done += 1
        if result.status == "grader_error":
            self.grader_errors += 1
        elif result.status != "graded" or result.score is None:
            self.without_score += 1
        elif result.score >= result.max_score:
            self.full += 1
        else:
            self.below += 1
        self._show(self)

    @property
    def words(self) -> str:
        """The running counts; what is zero is left out."""
        parts = [f"{self.full} full marks", f"{self.below} below"]
        if self.without_score:
            parts.append(f"{self.without_score} without score")
        if self.grader_errors:
            plural = "s" if self.grader_errors > 1 else ""
            parts.append(f"{self.grader_errors} grader error{plural}")
        return ", ".join(parts)


class _Rate(ProgressColumn):
    """Submissions a second, or a minute when slow."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(rate(speed) if speed else "", "dim")


def rate(per_second: float) -> str:
    """A rate in the unit that gives a number above 1."""
    if per_second >= 1:
        return f"{per_second:.1f}/s"
    return f"{per_second * 60:.1f}/min"


@contextmanager
def progress(console: Console, total: int) -> Iterator[Tally]:
    """A bar on a terminal, ten lines elsewhere, nothing for one submission.

    Args:
        console: where to.
        total: submissions to come.

    Yields:
        A tally whose ``advance(result)`` moves the bar.
    """
    if total <= 1:
        yield Tally(total, lambda tally: None)
    elif console.is_terminal:
        with _bar(console) as bar:
            task = bar.add_task("", total=total, words="")
            yield Tally(
                total,
                lambda t: bar.update(task, completed=t.done, words=t.words),
            )
    else:
        started = time.monotonic()
        yield Tally(total, lambda tally: _line(console, tally, started))


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("graded"),
        BarColumn(bar_width=16),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[words]}", markup=False),
        console=console,
    )


def _line(console: Console, tally: Tally, started: float) -> None:
    """One plain line each tenth of the way: a log file is read afterwards."""
    before = (tally.done - 1) * STEPS // tally.total
    if tally.done * STEPS // tally.total == before:
        return
    spent = max(time.monotonic() - started, 1e-6)
    speed = tally.done / spent
    left = (tally.total - tally.done) / speed
    text = (
        f"graded {tally.done} of {tally.total} ({rate(speed)}, "
        f"{left:.0f} s left): {tally.words}"
    )
    console.print(Text(text), soft_wrap=True)
