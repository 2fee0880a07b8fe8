"""``extend``: more days, another deadline, an excuse, or more time to compute."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from grader import dates
from grader.course import Course
from grader.errors import UsageError
from grader.gradebook import Gradebook, New
from grader.semester import lookup
from grader.semester.deciding import Common, decide

MOST_TIME = 20


@dataclass
class Options(Common):
    """What was asked for."""

    submission: str = ""
    until: str = ""
    days: int = 0
    excuse: bool = False
    time_factor: str = ""
    reason: str = ""


def run(options: Options) -> int:
    """0 when it is logged."""

    def make(course: Course, book: Gradebook) -> New:
        reason = lookup.reason(options.reason)
        lookup.submission(book, options.submission)
        kind, value = _value(options, book)
        return New(kind, reason, value, options.submission)

    return decide(options, make)


def _value(options: Options, book: Gradebook) -> tuple[str, dict[str, Any]]:
    chosen = [options.until, options.days, options.excuse, options.time_factor]
    if sum(map(bool, chosen)) != 1:
        raise UsageError("say one of --until, --days, --excuse and --time-factor.")
    if options.time_factor:
        return "time_factor", {"factor": str(_factor(options.time_factor))}
    rules = book.standing.rules
    if rules is None or rules.deadline is None:
        raise UsageError(
            f"{book.path} knows no deadline; write an assignment into course.toml and "
            "name it with grade --assignment."
        )
    if options.days < 0:
        raise UsageError("--days counts from 1; take back with grader undo.")
    until = None
    if options.until:
        try:
            until = dates.local_text(options.until, rules.zone)
        except ValueError as e:
            raise UsageError(f"--until: {e}.") from e
        if until < rules.deadline:
            raise UsageError(
                f"--until {until} is before the deadline {rules.deadline}."
            )
    value = dates.Extension(until=until, days=options.days, excused=options.excuse)
    return "extend", msgspec.to_builtins(value)


def _factor(text: str) -> Decimal:
    try:
        factor = Decimal(text)
    except InvalidOperation as e:
        raise UsageError(f"--time-factor {text!r} is no number.") from e
    if not 1 <= factor <= MOST_TIME:
        raise UsageError(f"--time-factor is from 1 to {MOST_TIME}.")
    return factor
