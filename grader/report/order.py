"""What to mend first: causes before their consequences.

Only fields that the reader may see take part, so that neither the order nor
the folding of a student's page tells more than the page itself.
"""

from __future__ import annotations

import re
from collections.abc import Hashable

import msgspec

from grader.report.views import CheckView, Edition, ExerciseView, FullView, HintedView
from grader.results import Outcome

# Most telling first. What is not about the code at all comes last.
_RANK = {
    Outcome.NOT_WRITTEN: 0,
    Outcome.ERROR: 1,
    Outcome.CRASHED: 1,
    Outcome.TIMEOUT: 1,
    Outcome.FAILED: 1,
    Outcome.NOT_RUN: 2,
    Outcome.GRADER_ERROR: 3,
}
# How far the answer came: what is wrong at an earlier stage makes the later ones.
_STAGES = {
    stage: rank
    for rank, stage in enumerate(
        ("import", "name", "undefined", "call", "return", "kind", "shape", "dtype")
    )
}
_FOLDED_STAGES = ("kind", "shape", "dtype")
_SIZES = re.compile(r"\d+")
_FOLDED_WHOLE = (Outcome.NOT_WRITTEN, Outcome.NOT_RUN)


class Trouble(msgspec.Struct, frozen=True):
    """A check that failed, and the checks that failed for the same reason."""

    check: CheckView
    consequences: list[CheckView]


def troubles(exercise: ExerciseView) -> list[Trouble]:
    """The failed checks of an exercise, what to mend first coming first.

    Checks that share a cause are folded into the first of them: same named
    mistake, same exception or hang at the same line, same words, or simply not
    written.
    """
    failed = [c for c in exercise.checks if not c.passed]
    groups: dict[Hashable, list[CheckView]] = {}
    for number, check in enumerate(failed):
        cause = _cause(check, exercise.kind == "quiz") or number
        groups.setdefault(cause, []).append(check)
    folded = [Trouble(_clearest(g), _others(g)) for g in groups.values()]
    total = len(exercise.checks)
    if exercise.kind == "quiz":
        # What is answered badly before what is not answered yet.
        return sorted(folded, key=lambda t: t.check.outcome in _FOLDED_WHOLE)
    return sorted(folded, key=lambda t: _rank(t, total))


def _cause(check: CheckView, question: bool = False) -> Hashable:
    """Equal for checks that fail for one reason; None when nothing is known.

    Each question of a quiz stands for itself, however alike the answers are.
    """
    if check.outcome in _FOLDED_WHOLE:
        return check.outcome
    if question or not isinstance(check, HintedView):
        return None
    if check.mistake or check.one_of:
        return ("mistake", check.mistake, *check.one_of)
    if check.stage == "return":
        return check.stage
    if check.stage in ("undefined", "call"):
        return (check.stage, check.hint, check.line)
    if check.exception:
        return ("exception", check.exception, check.line)
    if isinstance(check, FullView) and check.stage in _FOLDED_STAGES:
        return (check.stage, _SIZES.sub("#", check.message))
    if check.outcome is Outcome.TIMEOUT:  # its words say how long, not what hung
        return (check.outcome, check.line) if check.line else None
    if isinstance(check, FullView):
        told = (check.message, check.expected, check.got)
        return (check.outcome, *told) if any(told) else None
    return None


def _clearest(group: list[CheckView]) -> CheckView:
    """The check to show: the first public one, since it can be shown in full."""
    return next((c for c in group if c.public), group[0])


def _others(group: list[CheckView]) -> list[CheckView]:
    shown = _clearest(group)
    return [c for c in group if c is not shown]


def _rank(trouble: Trouble, total: int) -> tuple[int, int, bool]:
    """Sort key; the sort is stable, so suite order decides the rest.

    An error that stops every check (a failing import, say) goes first.
    """
    stops_all = total > 1 and len(trouble.consequences) + 1 == total
    rank = 0 if stops_all else _RANK[trouble.check.outcome]
    stage = trouble.check.stage if isinstance(trouble.check, HintedView) else ""
    return rank, _STAGES.get(stage, len(_STAGES)), not trouble.check.public


class Step(msgspec.Struct, frozen=True):
    """One line of "what to mend first"."""

    exercise: ExerciseView
    trouble: Trouble | None


def first_steps(edition: Edition, most: int = 3) -> list[Step]:
    """Where to begin: one step for each exercise that is not fully right.

    Exercises somebody has begun come before those not written or without a
    file; among them, course order, because later ones build on earlier ones.
    """
    steps = []
    for exercise in edition.exercises:
        found = troubles(exercise)
        if found or exercise.status == "missing":
            steps.append(Step(exercise, found[0] if exercise.begun else None))
    steps.sort(key=lambda s: not s.exercise.begun)
    return steps[:most]
