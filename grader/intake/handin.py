"""One hand-in, as a layout found it, and what intake knows beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.intake.limits import Limits
from grader.intake.tree import Entry


@dataclass(frozen=True)
class Context:
    """What is asked for. ``asks``: exercise -> the names that it must define."""

    exercises: tuple[str, ...]
    asks: Mapping[str, Sequence[str]]
    limits: Limits


@dataclass
class Handin:
    """The entries of one student, and what the layout says of that student.

    ``depth`` counts the archives that the entries already lie in. ``warnings``
    and ``error`` end on the student's row.
    """

    id: str
    entries: list[Entry] = field(default_factory=list)
    name: str = ""
    depth: int = 0
    email: str = ""
    group: list[str] = field(default_factory=list)
    submitted_at: str | None = None
    time_source: str = ""
    use_file_times: bool = False
    late: bool | None = None
    ids: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    error: str = ""
