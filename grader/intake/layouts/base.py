"""What every layout module offers, and small helpers that several share."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from grader.intake.handin import Context, Handin
from grader.intake.tree import Entry, Tree


@dataclass
class Split:
    """A tree cut into hand-ins.

    ``loose`` belongs to nobody and is listed; ``notes`` own up to a guess about
    the whole of it; ``lost`` says what never was among it.
    """

    handins: list[Handin] = field(default_factory=list)
    loose: list[Entry] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Layout:
    """``name`` is for ``--layout``, ``title`` for people.

    ``split`` gets how many archives the tree already lies in. ``times`` says
    where the time of a hand-in comes from.
    """

    name: str
    title: str
    looks_like: Callable[[Tree, Context], bool]
    split: Callable[[Tree, Context, int], Split]
    times: str


_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?"
)


def iso_time(text: str) -> str | None:
    """A time as files of other programs write it -> ISO 8601; no zone means UTC.

    >>> iso_time("2026-01-17 03:31:31.123456789 Z")
    '2026-01-17T03:31:31+00:00'
    """
    found = _TIME.search(text)
    if not found:
        return None
    day, clock, zone = found.groups()
    zone = "+00:00" if zone in (None, "Z", "UTC") else zone
    try:
        return datetime.datetime.fromisoformat(f"{day}T{clock}{zone}").isoformat()
    except ValueError:
        return None
