"""Names that people type, checked against what the gradebook has."""

from __future__ import annotations

from decimal import Decimal

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook import Gradebook
from grader.results import SubmissionResult
from grader.semester.matching import nearest_of

STAFF_ALONE = "--reason says why; it is logged, and the student reads it."


def submission(book: Gradebook, who: str) -> SubmissionResult:
    """What counts for ``who``.

    Raises:
        UsageError: the gradebook has no such submission; near ids are named.
    """
    found = book.current(who)
    if found is None:
        near = nearest_of(who, book.people())
        raise UsageError(f"{book.path} has no submission {who!r}{near}")
    return found


def exercise(course: Course, result: SubmissionResult, name: str) -> str:
    """``name``, if it was graded in ``result``.

    Raises:
        UsageError: it was not, or ``result`` has no score at all.
    """
    if result.status != "graded":
        raise UsageError(
            f"{result.submission} has no graded hand-in (it is {result.status}), so "
            "there are no points to change; grade its files first."
        )
    if name not in result.exercises:
        near = nearest_of(name, result.exercises)
        raise UsageError(f"{result.submission} has no exercise {name!r}{near}")
    return name


def check(book: Gradebook, text: str) -> tuple[str, str, Decimal]:
    """(exercise, check, points) of ``exercise/check`` or of the check alone.

    Raises:
        UsageError: nothing graded has it, or several exercises have.
    """
    wanted, slash, last = text.rpartition("/")
    known = book.checks()
    found = [
        (name, one, points)
        for name, one, points in known
        if one == last and (not slash or name == wanted)
    ]
    if len(found) > 1:
        listed = ", ".join(f"{name}/{one}" for name, one, _ in found)
        raise UsageError(f"several exercises have a check {last!r}: {listed}.")
    if not found:
        names = [f"{name}/{one}" if slash else one for name, one, _ in known]
        near = nearest_of(text, names)
        raise UsageError(f"nothing graded so far has a check {text!r}{near}")
    return found[0]


def reason(text: str) -> str:
    """``text``, which must say something.

    Raises:
        UsageError: it is empty.
    """
    if not text.strip():
        raise UsageError(f"a reason is missing: {STAFF_ALONE}")
    return text.strip()
