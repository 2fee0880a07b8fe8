"""How far a student is: exercises done, a bar, and the one to take up next."""

from __future__ import annotations

from collections.abc import Sequence

from grader.report.views import Edition, ExerciseView

BAR = 20


def count_done(exercises: Sequence[ExerciseView]) -> tuple[int, int]:
    """(exercises in which everything here passes, all of them)."""
    return sum(e.status == "passed" for e in exercises), len(exercises)


def bar(done: int, total: int, width: int = BAR) -> str:
    """``[#####...............]``: plain signs, so that it survives every terminal.

    Full only when all is done, empty only when nothing is.
    """
    filled = done * width // total if total else 0
    if done and not filled:
        filled = 1
    return f"[{'#' * filled}{'.' * (width - filled)}]"


def next_exercise(edition: Edition, current: ExerciseView) -> ExerciseView | None:
    """The first in course order that nobody has begun, when another is being mended."""
    if not current.begun:
        return None
    return next((e for e in edition.exercises if not e.begun), None)
