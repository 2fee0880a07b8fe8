"""``alias``: a function that a student renamed counts under its new name."""

from __future__ import annotations

from dataclasses import dataclass

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook import Gradebook, New
from grader.semester import lookup
from grader.semester.deciding import Common, console, decide
from grader.semester.matching import nearest_of


@dataclass
class Options(Common):
    """What was asked for. ``pair``: ``asked=name in the file``."""

    submission: str = ""
    exercise: str = ""
    pair: str = ""
    reason: str = ""


def run(options: Options) -> int:
    """0 when it is logged; it takes effect when the files are graded again."""

    def make(course: Course, book: Gradebook) -> New:
        reason = lookup.reason(options.reason)
        result = lookup.submission(book, options.submission)
        name = lookup.exercise(course, result, options.exercise)
        asked, equals, found = options.pair.partition("=")
        if not equals or not found.isidentifier():
            raise UsageError(
                f"{options.pair!r} is no alias; write NAME_ASKED_FOR=NAME_IN_THE_FILE."
            )
        asks = course.exercises[name].asks if name in course.exercises else []
        if asked not in asks:
            raise UsageError(
                f"{name} does not ask for {asked!r}{nearest_of(asked, asks)}"
            )
        value = {"asked": asked, "name": found}
        return New("alias", reason, value, options.submission, name)

    code = decide(options, make)
    if not options.dry_run:
        console(options).print(
            f"It counts from the next grading on: grader grade --out {options.out} "
            f"--stored --only {options.submission}",
            soft_wrap=True,
        )
    return code
