"""Deadlines and lateness: the rules of one assignment, and what they cost.

All clock arithmetic is done on the wall clock of the assignment's zone: a day
late ends at the same time of day, also over a change to or from summer time,
where it has 23 or 25 hours. What is ambiguous is decided for the student.
"""

from __future__ import annotations

import datetime as dt
import zoneinfo
from decimal import Decimal
from typing import Any

import msgspec

FORM = "%Y-%m-%d %H:%M"
ATTEMPTS = ("last", "best")
RATES_OF = ("score", "maximum")
HUNDRED = Decimal(100)


class Dates(msgspec.Struct, forbid_unknown_fields=True):
    """``[dates]``: what holds for every assignment that does not say otherwise.

    ``rate`` and ``cap`` are percent, of the points earned or of the maximum.
    """

    zone: str = "UTC"
    grace_minutes: int = 0
    rate: Decimal = Decimal(0)
    rate_of: str = "score"
    cap: Decimal = HUNDRED
    attempts: str = "last"


class Assignment(msgspec.Struct, forbid_unknown_fields=True):
    """``[[assignments]]``: exercises that are due together; all when none is named."""

    name: str
    deadline: Any = None
    exercises: list[str] = msgspec.field(default_factory=list)
    zone: str | None = None
    grace_minutes: int | None = None
    rate: Decimal | None = None
    rate_of: str | None = None
    cap: Decimal | None = None
    attempts: str | None = None


class Rules(msgspec.Struct, frozen=True):
    """What holds for one assignment. ``deadline`` is local time, None for never."""

    assignment: str = ""
    deadline: str | None = None
    zone: str = "UTC"
    grace_minutes: int = 0
    rate: Decimal = Decimal(0)
    rate_of: str = "score"
    cap: Decimal = HUNDRED
    attempts: str = "last"


class Extension(msgspec.Struct, frozen=True):
    """What one student was granted: a new deadline, more days, or all of it."""

    until: str | None = None
    days: int = 0
    excused: bool = False


class Late(msgspec.Struct, frozen=True):
    """How late a hand-in is. ``days`` are started days; None when nobody knows."""

    due: dt.datetime
    days: int | None
    percent: Decimal


def resolve(dates: Dates, assignment: Assignment) -> Rules:
    """The rules of ``assignment``, its own keys before those of ``[dates]``.

    Raises:
        ValueError: a value cannot be used; the message says which.
    """
    names = [f for f in Dates.__struct_fields__]
    own = {n: getattr(assignment, n) for n in names}
    values = {n: getattr(dates, n) if v is None else v for n, v in own.items()}
    zone_of(values["zone"])
    if values["attempts"] not in ATTEMPTS:
        raise ValueError(f'attempts is "last" or "best", not {values["attempts"]!r}')
    if values["rate_of"] not in RATES_OF:
        raise ValueError(f'rate_of is "score" or "maximum", not {values["rate_of"]!r}')
    for name in ("rate", "cap"):
        if not 0 <= values[name] <= HUNDRED:
            raise ValueError(f"{name} is a percentage from 0 to 100")
    if values["grace_minutes"] < 0:
        raise ValueError("grace_minutes is not negative")
    deadline = None
    if assignment.deadline is not None:
        deadline = local_text(assignment.deadline, values["zone"])
    return Rules(assignment=assignment.name, deadline=deadline, **values)


def zone_of(name: str) -> zoneinfo.ZoneInfo:
    """The IANA zone called ``name``.

    Raises:
        ValueError: there is none.
    """
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as e:
        raise ValueError(
            f"{name!r} is no time zone; write one like Europe/Berlin or Asia/Shanghai"
        ) from e


def local_text(value: Any, zone: str) -> str:
    """A date and time as given -> ``2026-10-12 23:59`` on the clock of ``zone``.

    Raises:
        ValueError: it is no date with a time of day, or that clock skips it.
    """
    moment = value
    if isinstance(value, str):
        try:
            moment = dt.datetime.fromisoformat(value.strip())
        except ValueError:
            moment = None
        if len(value.strip()) <= len("2026-10-12"):
            moment = None  # a day alone: does it mean its beginning or its end?
    if not isinstance(moment, dt.datetime):
        raise ValueError(
            f"{value!s} is no date with a time of day; write it like 2026-10-12 23:59"
        )
    where = zone_of(zone)
    if moment.tzinfo is not None:
        moment = moment.astimezone(where).replace(tzinfo=None)
    aware = moment.replace(tzinfo=where)
    back = aware.astimezone(dt.UTC).astimezone(where).replace(tzinfo=None)
    if back != moment:
        raise ValueError(
            f"{moment:{FORM}} does not exist in {zone}: the clock is set forward then"
        )
    return moment.strftime(FORM)


def instant(moment: dt.datetime, zone: zoneinfo.ZoneInfo) -> dt.datetime:
    """A moment of the wall clock in UTC; the later one where it can be two."""
    both = (moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    return max(m.astimezone(dt.UTC) for m in both)


def due(rules: Rules, extension: Extension | None = None) -> dt.datetime | None:
    """The deadline on the wall clock, without zone; None when there is none."""
    if rules.deadline is None:
        return None
    moment = dt.datetime.strptime(rules.deadline, FORM)
    if extension is not None and extension.until is not None:
        return dt.datetime.strptime(extension.until, FORM)
    return moment + dt.timedelta(days=extension.days if extension else 0)


def judge(
    rules: Rules, submitted_at: str | None, extension: Extension | None = None
) -> Late | None:
    """How late it is and what that costs; None when nothing is due.

    Args:
        rules: of the assignment.
        submitted_at: ISO 8601; without an offset it is on the zone's clock.
            None or nonsense is an unknown time, which costs nothing.
        extension: of this student.
    """
    local = due(rules, extension)
    if local is None:
        return None
    zone = zone_of(rules.zone)
    shown = instant(local, zone).astimezone(zone)
    excused = extension is not None and extension.excused
    moment = parse(submitted_at, zone)
    if moment is None:
        return Late(shown, None, Decimal(0))
    days = _started_days(local, moment, zone, rules.grace_minutes)
    percent = Decimal(0) if excused else min(rules.cap, rules.rate * days)
    return Late(shown, days, percent)


def parse(text: str | None, zone: zoneinfo.ZoneInfo) -> dt.datetime | None:
    """ISO 8601 -> UTC; the earlier instant where a clock shows it twice."""
    try:
        moment = dt.datetime.fromisoformat(text or "")
    except ValueError:
        return None
    if moment.tzinfo is None:
        # For a hand-in the earlier of two readings is the kinder one.
        both = (moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
        return min(m.astimezone(dt.UTC) for m in both)
    return moment.astimezone(dt.UTC)


def _started_days(
    deadline: dt.datetime,
    moment: dt.datetime,
    zone: zoneinfo.ZoneInfo,
    grace_minutes: int,
) -> int:
    """0 within the grace period, else days begun since the deadline itself."""
    if moment <= instant(deadline, zone) + dt.timedelta(minutes=grace_minutes):
        return 0
    local = moment.astimezone(zone).replace(tzinfo=None)
    days = max(0, (local - deadline).days - 1)
    while instant(deadline + dt.timedelta(days=days), zone) < moment:
        days += 1
    return days
