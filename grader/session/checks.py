"""What pytest collected, as checks with points, grouped by exercise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from grader.course import Course
from grader.errors import SuiteError

MARKERS = (
    "exercise(name): the exercise that a suite belongs to",
    "points(n): what a check is worth",
    "hint(text): what the student reads when the check fails",
    "numeric: compares numbers that a do-nothing answer cannot give",
    "property: scores only when a numeric check of the exercise passed",
    "errors: is about error handling",
    "fresh_worker: gets a worker of its own",
    "budget(cpu_s): CPU seconds of this check, instead of the course's limit",
)


@dataclass(frozen=True)
class Check:
    """One check: what a report says about it, and the pytest item behind it."""

    id: str
    exercise: str
    title: str
    public: bool
    points: Decimal
    hint: str
    numeric: bool
    gated: bool
    errors: bool
    fresh: bool
    cpu_s: float | None
    item: Any


def _argument(item: Any, name: str, default: Any = None) -> Any:
    mark = item.get_closest_marker(name)
    return mark.args[0] if mark is not None and mark.args else default


def _check(item: Any) -> Check:
    exercise = _argument(item, "exercise")
    where = f"{item.path.name}: {item.name}"
    if not exercise:
        raise SuiteError(f"{where} names no exercise (pytestmark).")
    title = (item.function.__doc__ or "").strip().splitlines()
    if not title:
        raise SuiteError(f"{where} has no docstring: it is the line students read.")
    try:
        points = Decimal(str(_argument(item, "points")))
    except InvalidOperation:
        raise SuiteError(f"{where} has no points.") from None
    return Check(
        id=item.name.removeprefix("check_"),
        exercise=exercise,
        title=title[0],
        public=item.path.name.startswith("public_"),
        points=points,
        hint=_argument(item, "hint", ""),
        numeric=item.get_closest_marker("numeric") is not None,
        gated=item.get_closest_marker("property") is not None,
        errors=item.get_closest_marker("errors") is not None,
        fresh=item.get_closest_marker("fresh_worker") is not None,
        cpu_s=_argument(item, "budget"),
        item=item,
    )


def group(items: Iterable[Any], course: Course) -> dict[str, list[Check]]:
    """Checks by exercise, public first, in the order written.

    Raises:
        SuiteError: a check has no points or title, or its name stands twice.
    """
    found: dict[str, list[Check]] = {}
    for item in items:
        check = _check(item)
        if check.exercise not in course.exercises:
            raise SuiteError(f"{item.path.name}: no exercise {check.exercise!r}.")
        same = found.setdefault(check.exercise, [])
        if any(c.id == check.id for c in same):
            raise SuiteError(f"{check.exercise}: two checks are called {check.id}.")
        same.append(check)
    for checks in found.values():
        checks.sort(key=lambda c: not c.public)
    return found
