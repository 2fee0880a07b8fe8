"""What pytest collected, as checks with points, grouped by exercise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from grader.course import Course
from grader.errors import SuiteError
from grader.results import CheckResult, Outcome

MARKERS = (
    "exercise(name): the exercise that a suite belongs to",
    "points(n): what a check is worth",
    "hint(text): what the student reads when the check fails",
    "numeric: compares numbers that a do-nothing answer cannot give",
    "property: scores only when a numeric check of the exercise passed",
    "errors: is about error handling",
    "fresh_worker: gets a worker of its own",
    "budget(cpu_s, wall_s): seconds of this check, instead of the course's limits",
    "after(*checks): runs only when these have passed",
    "shown: a comparison, run on request: its figures are shown, it has no points",
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
    wall_s: float | None = None
    after: tuple[str, ...] = ()
    shown: bool = False


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
        shown = item.get_closest_marker("shown") is not None
        points = Decimal(str(_argument(item, "points", "0" if shown else None)))
    except InvalidOperation:
        raise SuiteError(f"{where} has no points.") from None
    cpu_s, wall_s = _budget(item, where)
    after = item.get_closest_marker("after")
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
        cpu_s=cpu_s,
        item=item,
        wall_s=wall_s,
        after=tuple(after.args) if after is not None else (),
        shown=shown,
    )


def comparisons(found: dict[str, list[Check]]) -> dict[str, list[Check]]:
    """Take the comparisons out of ``found``: they are no checks with points."""
    taken = {name: [c for c in checks if c.shown] for name, checks in found.items()}
    for name, checks in found.items():
        found[name] = [c for c in checks if not c.shown]
    return taken


def _budget(item: Any, where: str) -> tuple[float | None, float | None]:
    """CPU and wall seconds of the mark ``budget``, None where it says nothing."""
    mark = item.get_closest_marker("budget")
    if mark is None:
        return None, None
    given = [*mark.args, *mark.kwargs.values()]
    sound = all(type(v) in (int, float) and v > 0 for v in given)
    if not sound or len(mark.args) not in (1, 2) or set(mark.kwargs) - {"wall_s"}:
        raise SuiteError(f"{where}: budget takes CPU seconds, then wall seconds.")
    wall_s = mark.args[1] if len(mark.args) == 2 else mark.kwargs.get("wall_s")
    return float(mark.args[0]), None if wall_s is None else float(wall_s)


def _check_order(checks: list[Check]) -> None:
    """What a check waits for comes before it, so that it is known by then."""
    before: set[str] = set()
    for check in checks:
        for name in check.after:
            if name not in before:
                raise SuiteError(
                    f"{check.exercise}: {check.id} is marked after {name!r}, which is "
                    "no check before it."
                )
        before.add(check.id)


def needed(checks: list[Check], name: str) -> list[Check]:
    """The check ``name`` with all that it waits for before it, in order."""
    wanted = {name}
    for check in reversed(checks):  # what a check waits for stands before it
        if check.id in wanted:
            wanted.update(check.after)
    return [c for c in checks if c.id in wanted]


def with_budgets(checks: list[Check]) -> set[str]:
    """Those that have a budget of their own, and those that wait for one of them."""
    found: set[str] = set()
    for check in checks:
        if check.cpu_s is not None or found.intersection(check.after):
            found.add(check.id)
    return found


def waits_for(check: Check, before: list[CheckResult]) -> CheckResult | None:
    """The first result that ``check`` waits for in vain, None when it may run."""
    vain = (r for r in before if r.outcome is not Outcome.PASSED)
    return next((r for r in vain if r.id in check.after), None)


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
        # Comparisons last: they may wait for any check.
        checks.sort(key=lambda c: (c.shown, not c.public))
        _check_order(checks)
    return found
