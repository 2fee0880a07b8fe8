"""Which assignment a gradebook is of, and that its dates are those of course.toml."""

from __future__ import annotations

import msgspec

from grader.course import Course
from grader.dates import Rules
from grader.errors import UsageError
from grader.gradebook import Gradebook, New


def take_dates(course: Course, book: Gradebook, name: str = "") -> str:
    """Let the dates of ``name`` hold, as course.toml has them now.

    Without a name it is the assignment that this gradebook is of already, or the
    only one of the course.

    Returns:
        A sentence when something has changed, else an empty string.

    Raises:
        UsageError: the gradebook is of another assignment.
        CourseError: there is no such assignment.
    """
    if name:
        course.rules(name)
    now = book.standing.rules
    held = now.assignment if now else ""
    if name and held and name != held:
        raise UsageError(
            f"{book.path} is of assignment {held!r}; give {name!r} a folder of its own "
            "with --out."
        )
    wanted = name or held
    if not wanted and len(course.assignments) == 1:
        wanted = next(iter(course.assignments))
    if not wanted or (wanted not in course.assignments and not name):
        return ""
    rules = course.rules(wanted)
    if rules == now:
        return ""
    book.decide(New("dates", "course.toml", msgspec.to_builtins(rules)))
    return f"assignment {wanted}: {words(rules)}"


def words(rules: Rules) -> str:
    """The rules in a line."""
    if rules.deadline is None:
        return "no deadline"
    parts = [f"due {rules.deadline} {rules.zone}"]
    if rules.grace_minutes:
        parts.append(f"{rules.grace_minutes} minutes of grace")
    if rules.rate:
        of = "of the points" if rules.rate_of == "score" else "of the maximum"
        parts.append(
            f"{rules.rate:f} % {of} off for each started day, {rules.cap:f} % at most"
        )
    parts.append(f"the {rules.attempts} attempt counts")
    return ", ".join(parts)


def exercises(course: Course, book: Gradebook, asked: list[str]) -> list[str]:
    """The exercises to grade: those asked for, else those of the assignment."""
    rules = book.standing.rules
    if asked or rules is None or rules.assignment not in course.assignments:
        return asked
    return list(course.assignments[rules.assignment].exercises)
