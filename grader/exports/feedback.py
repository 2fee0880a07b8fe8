"""What an LMS shows a student: built from the student's edition and nothing else."""

from __future__ import annotations

from html import escape

from grader.course import Course
from grader.exports.common import points_text
from grader.report.editions import student_edition
from grader.report.views import CheckView, Edition, ExerciseView, FullView, HintedView
from grader.report.words import NO_SCORE, verdict
from grader.results import SubmissionResult

# An LMS keeps a comment in one cell: what is longer belongs in the report.
MAX_CHECKS = 40


def html(result: SubmissionResult, course: Course) -> str:
    """A comment for the student, as HTML without a line break."""
    edition = student_edition(result, course)
    if edition.score is None:
        return f"<p>{escape(NO_SCORE[edition.status])}</p>"
    total = f"{points_text(edition.score)} / {points_text(edition.max_score)}"
    parts = [f"<p>{total}</p>", *(_exercise(e) for e in edition.exercises)]
    return "".join(parts).replace("\r", " ").replace("\n", " ")


def _exercise(exercise: ExerciseView) -> str:
    score = f"{points_text(exercise.score)} / {points_text(exercise.max_score)}"
    open_checks = [c for c in exercise.checks if not c.passed]
    items = "".join(f"<li>{_check(c)}</li>" for c in open_checks[:MAX_CHECKS])
    listed = f"<ul>{items}</ul>" if items else ""
    return f"<p><b>{escape(exercise.title)}</b>: {score}</p>{listed}"


def _check(check: CheckView) -> str:
    return "<br>".join(escape(line) for line in check_lines(check))


def check_lines(check: CheckView) -> list[str]:
    """One check in words: verdict and sentence, then what its edition shows."""
    points = f"{points_text(check.points)}/{points_text(check.max_points)}"
    found = [f"{check.title} ({verdict(check.outcome)}, {points})"]
    if isinstance(check, FullView) and not check.passed:
        shown = (
            ("", check.message),
            ("expected: ", check.expected),
            ("got: ", check.got),
        )
        found += [name + text for name, text in shown if text]
    if isinstance(check, HintedView) and not check.passed:
        if check.mistake:
            found.append(f"looks like: {check.mistake}")
        if check.hint:
            found.append(f"hint: {check.hint}")
    return found


def edition_of(result: SubmissionResult, course: Course) -> Edition:
    """The student's edition; exports read results through it alone."""
    return student_edition(result, course)
