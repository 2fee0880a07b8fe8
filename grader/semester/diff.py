"""What changed between two states of a gradebook, score by score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import msgspec

from grader.errors import UsageError
from grader.gradebook import Gradebook
from grader.results import SubmissionResult, round_points

NOW = "now"
PUBLISHED = "published"


class Exercise(msgspec.Struct, frozen=True):
    """Points of one exercise, and of each of its checks."""

    score: Decimal
    max_score: Decimal
    checks: dict[str, Decimal]


class Score(msgspec.Struct, frozen=True):
    """What one submission had at one time."""

    status: str
    score: Decimal | None
    max_score: Decimal
    exercises: dict[str, Exercise] = {}


class Change(msgspec.Struct, frozen=True):
    """One submission whose points differ. ``exercises``: name -> what changed."""

    submission: str
    old: str
    new: str
    exercises: dict[str, str]

    def lines(self) -> list[str]:
        """The change in words, one line for each exercise."""
        told = [f"  {name}: {words}" for name, words in self.exercises.items()]
        return [f"{self.submission}: {self.old} -> {self.new}", *told]


Scores = Mapping[str, Score]


def scores(results: Iterable[SubmissionResult]) -> dict[str, Score]:
    """The points of ``results``, small enough to keep for a whole class."""
    return {
        r.submission: Score(
            r.status,
            r.score,
            r.max_score,
            {
                name: Exercise(e.score, e.max_score, {c.id: c.points for c in e.checks})
                for name, e in r.exercises.items()
            },
        )
        for r in results
    }


def state(book: Gradebook, name: str) -> tuple[str, dict[str, Score]]:
    """(in words, scores) of a run's number, of "published" or "now".

    Raises:
        UsageError: there is no such run or nothing was published yet.
    """
    if name == NOW:
        return "now", scores(book.results())
    if name == PUBLISHED:
        number, kept = book.published()
        if number is None:
            raise UsageError("nothing has been published yet; grader publish does it.")
        told = {w: msgspec.convert(s, Score, strict=False) for w, s in kept.items()}
        return f"publication {number}", told
    runs = [run.id for run in book.runs()]
    if not name.isdigit() or int(name) not in runs:
        listed = f"1 to {runs[-1]}" if runs else "none yet"
        raise UsageError(
            f"there is no run {name!r}; name a run ({listed}), published, or now."
        )
    return f"run {name}", scores(book.after_run(int(name)))


def changes(old: Scores, new: Scores) -> Iterator[Change]:
    """Every submission whose points or status differ, in the order of ids."""
    for who in sorted({*old, *new}):
        before, after = old.get(who), new.get(who)
        parts = dict(_exercises(before, after))
        if parts or _total(before) != _total(after):
            yield Change(who, _total(before), _total(after), parts)


def _exercises(old: Score | None, new: Score | None) -> Iterator[tuple[str, str]]:
    before = old.exercises if old else {}
    after = new.exercises if new else {}
    for name in {**before, **after}:
        first, last = before.get(name), after.get(name)
        if first is None or last is None:
            if before and after:
                yield name, f"{_points(first)} -> {_points(last)}"
        elif (first.score, first.max_score) != (last.score, last.max_score):
            moved = ", ".join(_moved(first.checks, last.checks))
            told = f" ({moved})" if moved else ""
            yield name, f"{_points(first)} -> {_points(last)}{told}"


def _moved(old: Mapping[str, Decimal], new: Mapping[str, Decimal]) -> Iterator[str]:
    for check in {**old, **new}:
        before, after = old.get(check, Decimal(0)), new.get(check, Decimal(0))
        if before != after:
            yield f"{check} {_show(before)} -> {_show(after)}"


def _total(score: Score | None) -> str:
    if score is None:
        return "nothing"
    if score.score is None:
        return score.status
    return f"{_show(score.score)} of {_show(score.max_score)}"


def _points(exercise: Exercise | None) -> str:
    if exercise is None:
        return "nothing"
    return f"{_show(exercise.score)} of {_show(exercise.max_score)}"


def _show(points: Decimal) -> str:
    return format(round_points(points), "f")


def to_json(change: Change) -> dict[str, Any]:
    """For programs."""
    return dict(msgspec.to_builtins(change))
