"""The one place where final points come about, as exact decimals.

What was graded, what people decided and how late it was go in; nothing is read
or written here. Exports, pages and tables all show what comes out.

    graded -> never lower -> voids -> adjustments -> raw score -> lateness -> score
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec

from grader import dates
from grader.gradebook.decisions import Decision, Standing
from grader.gradebook.points import ZERO, clamp, to_text, total
from grader.gradebook.private import TA_ONLY
from grader.results import (
    ExerciseResult,
    Outcome,
    SubmissionResult,
    round_points,
)

UNKNOWN_TIME = (
    f"{TA_ONLY}nobody knows when this was handed in, so lateness costs nothing; "
    "grade --times FILE says it."
)
MARKED_LATE = (
    f"{TA_ONLY}it is marked late, but nobody knows by how much, so that costs "
    "nothing; grade --times FILE says it."
)


class Points(msgspec.Struct):
    """A submission's points, with what lateness did to them."""

    score: Decimal | None
    raw_score: Decimal | None
    late: dict[str, Any] | None
    warning: str = ""


def exercises(
    result: SubmissionResult,
    standing: Standing,
    floor: dict[str, ExerciseResult] | None = None,
) -> set[str]:
    """Apply what was decided about checks and exercises to ``result``.

    ``floor`` has the results below which this submission must not fall; the
    names of those that took the place of a later one are returned.
    """
    kept_names = set()
    for name, graded in result.exercises.items():
        result.exercises[name] = _voided(name, graded, standing)
    for name, earlier in (floor or {}).items():
        now, kept = result.exercises.get(name), _voided(name, earlier, standing)
        if now is not None and kept.score > now.score:
            kept.warnings = [
                *kept.warnings,
                f"The later grading gave {_show(now.score)} points; the better one, "
                f"{_show(kept.score)}, is kept.",
            ]
            result.exercises[name] = kept
            kept_names.add(name)
    for decision in standing.about.get(result.submission, []):
        _apply(result.exercises.get(decision.exercise or ""), decision)
    result.max_score -= total(
        Decimal(void.value["points"])
        for void in standing.voids.values()
        if void.value["mode"] == "out"
    )
    if result.status == "graded":
        result.score = result.raw_score = total(
            e.score for e in result.exercises.values()
        )
    return kept_names


def _voided(name: str, graded: ExerciseResult, standing: Standing) -> ExerciseResult:
    """``graded`` without the checks that do not count."""
    for check in graded.checks:
        void = standing.voids.get((name, check.id))
        if void is None:
            continue
        if void.value["mode"] == "full":
            graded.score += check.max_points - check.points
            check.points = check.max_points
            what = "everybody gets its points"
        else:
            graded.score -= check.points
            graded.max_score -= check.max_points
            check.points = check.max_points = ZERO
            what = "it is worth no points"
        graded.score = clamp(graded.score, graded.max_score)
        graded.warnings = [
            *graded.warnings,
            f'The check "{check.title}" does not count, {what}: {void.reason}',
        ]
    if graded.status in ("partial", "failed") and all(
        c.outcome is Outcome.PASSED or (name, c.id) in standing.voids
        for c in graded.checks
    ):
        graded.status = "passed"
    return graded


def _apply(exercise: ExerciseResult | None, decision: Decision) -> None:
    if exercise is None:
        return
    if decision.kind == "comment":
        exercise.warnings = [*exercise.warnings, f"Comment: {decision.value['text']}"]
        return
    before = exercise.score
    points = Decimal(decision.value["points"])
    wanted = before + points if decision.value["relative"] else points
    exercise.score = clamp(wanted, exercise.max_score)
    exercise.warnings = [
        *exercise.warnings,
        f"Set from {_show(before)} to {_show(exercise.score)} points by hand: "
        f"{decision.reason}",
    ]


def lateness(
    submission: str,
    status: str,
    raw: Decimal | None,
    most: Decimal,
    late: dict[str, Any] | None,
    standing: Standing,
) -> Points:
    """What is left of ``raw`` points, and why.

    Args:
        submission: whose.
        status: only what is graded can lose points.
        raw: points before lateness.
        most: the maximum.
        late: what intake knows: when it was handed in, what marks it carries.
        standing: the dates and this student's extension.
    """
    rules = standing.rules
    told = late or {}
    extension = standing.extensions.get(submission)
    if rules is None or status not in ("graded", "grader_error"):
        return Points(raw, raw, late)
    found = dates.judge(rules, told.get("submitted_at"), extension)
    if found is None:
        return Points(raw, raw, late)
    shown: dict[str, Any] = {
        "submitted_at": told.get("submitted_at"),
        "time_source": told.get("time_source", ""),
        "marked_late": told.get("marked_late"),
        "due": found.due.isoformat(timespec="minutes"),
        "days": found.days,
        "summary": _words(extension),
    }
    if found.days is None:
        warning = MARKED_LATE if told.get("marked_late") else UNKNOWN_TIME
        return Points(raw, raw, shown, warning)
    if raw is None:
        return Points(raw, raw, shown)
    base = most if rules.rate_of == "maximum" else raw
    deduction = min(raw, base * found.percent / dates.HUNDRED)
    if deduction:
        shown["deduction"] = _show(deduction)
    return Points(raw - deduction, raw, shown)


def _words(extension: dates.Extension | None) -> str:
    if extension is None:
        return ""
    if extension.excused:
        return "excused: being late costs nothing"
    if extension.until:
        return f"extended until {extension.until}"
    return f"extended by {extension.days} days"


def _show(points: Decimal) -> str:
    return to_text(round_points(points)) or ""
