"""One hand-in, as a layout found it, and what intake knows beside it."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.intake import names
from grader.intake.limits import Limits
from grader.intake.names import Match
from grader.intake.tree import Entry


@dataclass(frozen=True)
class Context:
    """What is asked for. ``asks``: exercise -> the names that it must define.

    ``quizzes`` are the exercises that are answered in a sheet. Code and sheets
    are told apart by their endings, so that neither is ever taken for the other.
    """

    exercises: tuple[str, ...]
    asks: Mapping[str, Sequence[str]]
    limits: Limits
    quizzes: tuple[str, ...] = ()

    @functools.cached_property
    def code(self) -> tuple[str, ...]:
        """The exercises that are answered in Python."""
        return tuple(e for e in self.exercises if e not in self.quizzes)

    def is_source(self, name: str) -> bool:
        """True for Python files, notebooks, and sheets named like a quiz."""
        if names.is_sheet(name):
            return self.match(name) is not None
        return names.is_source(name)

    def match(self, name: str) -> Match | None:
        """The exercise that a file name means; see ``names.match``."""
        if not names.is_sheet(name):
            return names.match(name, self.code)
        hit = names.match(name, self.quizzes) if self.quizzes else None
        # Notes are text files too: one must be called like the quiz itself.
        notes = not re.search(r"\.toml\b", name, re.IGNORECASE)
        return None if hit and notes and hit.level > names.COPY else hit


@dataclass
class Handin:
    """The entries of one student, and what the layout says of that student.

    ``depth`` counts the archives that the entries already lie in. ``stamps`` are
    the times of its top folders, where each was handed in for itself.
    ``warnings`` and ``error`` end on the student's row.
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
    stamps: dict[str, str] = field(default_factory=dict)
    late: bool | None = None
    ids: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    error: str = ""
