"""``adjust``: points of one exercise, set by hand after somebody looked."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook import Gradebook, New
from grader.semester import lookup
from grader.semester.deciding import Common, decide


@dataclass
class Options(Common):
    """What was asked for. ``points``: "87" sets, "+5" and "-3" add."""

    submission: str = ""
    exercise: str = ""
    points: str = ""
    reason: str = ""


def run(options: Options) -> int:
    """0 when it is logged."""

    def make(course: Course, book: Gradebook) -> New:
        reason = lookup.reason(options.reason)
        result = lookup.submission(book, options.submission)
        name = lookup.exercise(course, result, options.exercise)
        relative = options.points.startswith(("+", "-"))
        points = _points(options.points)
        now = result.exercises[name]
        wanted = now.score + points if relative else points
        if not 0 <= wanted <= now.max_score:
            raise UsageError(
                f"{options.submission} would have {wanted} points in {name}; they go "
                f"from 0 to {now.max_score}."
            )
        value = {"points": format(points, "f"), "relative": relative}
        return New("adjust", reason, value, options.submission, name)

    return decide(options, make)


def _points(text: str) -> Decimal:
    try:
        points = Decimal(text)
    except InvalidOperation as e:
        raise UsageError(
            f"{text!r} is no number of points; write 87, or +5 or -3 to add."
        ) from e
    if not points.is_finite():
        raise UsageError(f"{text!r} is no number of points.")
    return points
