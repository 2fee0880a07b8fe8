"""``void``: a check turned out wrong, and must cost nobody anything."""

from __future__ import annotations

from dataclasses import dataclass

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook import Gradebook, New
from grader.semester import lookup
from grader.semester.deciding import Common, decide


@dataclass
class Options(Common):
    """What was asked for. ``drop``: out of the maximum, else full points for all."""

    check: str = ""
    drop: bool = False
    reason: str = ""


def run(options: Options) -> int:
    """0 when it is logged; every score that it changes is listed."""

    def make(course: Course, book: Gradebook) -> New:
        reason = lookup.reason(options.reason)
        exercise, check, points = lookup.check(book, options.check)
        earlier = book.standing.voids.get((exercise, check))
        if earlier is not None:
            raise UsageError(
                f"{exercise}/{check} is void already (decision {earlier.id}); "
                "grader undo takes that back."
            )
        mode = "out" if options.drop else "full"
        value = {"mode": mode, "points": format(points, "f")}
        return New("void", reason, value, None, exercise, check)

    return decide(options, make)
