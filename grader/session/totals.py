"""From verdicts to points: of an exercise, and of a whole submission."""

from __future__ import annotations

from decimal import Decimal

from grader.course import Exercise
from grader.results import (
    CheckResult,
    ExerciseResult,
    Outcome,
    SubmissionResult,
    exercise_status,
)
from grader.session import verdict
from grader.session.checks import Check
from grader.session.runner import Runner
from grader.submission import Submission


def without_file(
    submission: Submission, exercise: Exercise, checks: list[Check]
) -> ExerciseResult:
    """Of an exercise that nothing was handed in for, or nothing that can be read."""
    reason = submission.blocked.get(exercise.name, "")
    outcome = Outcome.ERROR if reason else Outcome.NOT_WRITTEN
    results = [verdict.blank(c, outcome) for c in checks]
    for result in results:
        result.message = reason or f"No file {exercise.name}.py was handed in."
    return ExerciseResult(
        key="",
        score=Decimal(0),
        max_score=_most(exercise, checks),
        status="failed" if reason else "missing",
        checks=results,
        warnings=[reason] if reason else [],
    )


def exercise_result(
    exercise: Exercise,
    checks: list[Check],
    results: list[CheckResult],
    runner: Runner,
    near_name_deduction: Decimal,
) -> ExerciseResult:
    """The sum of the checks, less what a name costs that is only near."""
    warnings = list(runner.loading.warnings)
    score = sum((r.points for r in results), Decimal(0))
    maximum = _most(exercise, checks)
    taken = near_name_deduction
    for asked, found in runner.loading.near_names.items():
        warnings.append(
            f"You wrote {found}; the exercise asks for {asked}. "
            f"It was graded under that name, with {taken} points taken off."
        )
        score = max(Decimal(0), score - taken)
    source = runner.submission.files[exercise.name]
    return ExerciseResult(
        key="",
        score=min(score, maximum),
        max_score=maximum,
        status=exercise_status(results),
        checks=results,
        warnings=warnings,
        source=source.path,
        sha256=source.sha256,
    )


def _most(exercise: Exercise, checks: list[Check]) -> Decimal:
    """Where only public checks are here, they are all that can be earned."""
    full = sum((c.points for c in checks), Decimal(0))
    return min(full, exercise.points) if full else exercise.points


def gate(checks: list[Check], results: list[CheckResult]) -> None:
    """A property that doing nothing has as well scores only beside a number."""
    if any(
        c.numeric and r.outcome is Outcome.PASSED
        for c, r in zip(checks, results, strict=True)
    ):
        return
    for check, result in zip(checks, results, strict=True):
        if check.gated and result.outcome is Outcome.PASSED:
            result.outcome = Outcome.FAILED
            result.points = Decimal(0)
            result.message = "This property holds, but no number is right yet."
            result.expected = "at least one right answer among the checks with numbers"
            result.got = "none so far"
            result.hint = ""


def finish(result: SubmissionResult) -> None:
    """Sum up: a grader fault leaves the submission without a score."""
    exercises = result.exercises.values()
    result.max_score = sum((e.max_score for e in exercises), Decimal(0))
    faults = [
        check
        for e in exercises
        for check in e.checks
        if check.outcome is Outcome.GRADER_ERROR
    ]
    if faults:
        result.status, result.score, result.raw_score = "grader_error", None, None
        result.message = faults[0].message
        return
    result.score = sum((e.score for e in exercises), Decimal(0))
    result.raw_score = result.score
