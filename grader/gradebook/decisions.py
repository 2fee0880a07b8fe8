"""What people decided: appended with author, time and reason, never overwritten.

A decision is taken back by a further one that revokes it, and that one in turn.
``Standing`` is what is in force.
"""

from __future__ import annotations

import sqlite3
from decimal import Decimal
from typing import Any

import msgspec

from grader.dates import Extension, Rules
from grader.errors import UsageError

KINDS = (
    "dates",
    "roster",
    "extend",
    "void",
    "never_lower",
    "adjust",
    "comment",
    "alias",
    "time_factor",
    "publish",
    "purge",
    "undo",
)
# Taking these back would make the log claim what is not so.
FINAL = ("publish", "purge")


class Decision(msgspec.Struct, frozen=True):
    """One row of the log. ``value`` depends on ``kind``."""

    id: int
    decided_at: str
    author: str
    kind: str
    submission: str | None
    exercise: str | None
    check: str | None
    value: dict[str, Any]
    reason: str
    revokes: int | None = None


class New(msgspec.Struct, frozen=True):
    """A decision on its way into the log."""

    kind: str
    reason: str
    value: dict[str, Any] = {}
    submission: str | None = None
    exercise: str | None = None
    check: str | None = None
    revokes: int | None = None


def add(db: sqlite3.Connection, when: str, author: str, new: New) -> int:
    """Append a decision; returns its number. The caller holds the transaction."""
    cursor = db.execute(
        "INSERT INTO decisions VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            when,
            author,
            new.kind,
            new.submission,
            new.exercise,
            new.check,
            msgspec.json.encode(new.value).decode(),
            new.reason,
            new.revokes,
        ),
    )
    return int(cursor.lastrowid or 0)


def history(db: sqlite3.Connection) -> list[Decision]:
    """The whole log, oldest first."""
    found = []
    for row in db.execute(
        "SELECT id, decided_at, author, kind, submission_id, exercise, check_id, "
        "value, reason, revokes FROM decisions ORDER BY id"
    ):
        values = dict(zip(Decision.__struct_fields__, row, strict=True))
        values["value"] = msgspec.json.decode(values["value"])
        found.append(Decision(**values))
    return found


def newest(db: sqlite3.Connection) -> int:
    """The number of the newest decision; 0 without any."""
    (number,) = db.execute("SELECT coalesce(max(id), 0) FROM decisions").fetchone()
    return int(number)


def in_force(log: list[Decision]) -> list[Decision]:
    """The decisions that nothing revokes which is itself in force."""
    revoked: set[int] = set()
    for decision in reversed(log):  # what revokes comes after what it revokes
        if decision.revokes is not None and decision.id not in revoked:
            revoked.add(decision.revokes)
    return [d for d in log if d.id not in revoked and d.kind != "undo"]


def to_revoke(log: list[Decision], number: int) -> Decision:
    """The decision ``number``, if it can be taken back.

    Raises:
        UsageError: there is none, it is taken back already, or it is final.
    """
    found = {d.id: d for d in log}.get(number)
    if found is None:
        raise UsageError(
            f"there is no decision {number}; grader log lists those there are."
        )
    if found.kind in FINAL:
        raise UsageError(
            f"decision {number} ({found.kind}) cannot be taken back: what has been "
            "handed back or removed stays so."
        )
    standing = {d.id for d in in_force(log)}
    undone = found.kind == "undo" and all(
        d.revokes != number for d in log if d.kind == "undo"
    )
    if number not in standing and not undone:
        raise UsageError(f"decision {number} has been taken back already.")
    return found


class Standing:
    """What is in force, sorted by what it is about."""

    def __init__(self, log: list[Decision]) -> None:
        self.rules: Rules | None = None
        self.roster: int | None = None
        self.voids: dict[tuple[str, str], Decision] = {}
        self.floors: list[int] = []
        self.extensions: dict[str, Extension] = {}
        self.time_factors: dict[str, Decimal] = {}
        self.aliases: dict[str, dict[str, dict[str, str]]] = {}
        self.about: dict[str, list[Decision]] = {}  # adjustments and comments
        for decision in in_force(log):
            self._take(decision)

    def _take(self, decision: Decision) -> None:
        who, value = decision.submission or "", decision.value
        match decision.kind:
            case "dates":
                self.rules = msgspec.convert(value, Rules)
            case "roster":
                self.roster = decision.id
            case "void":
                key = (decision.exercise or "", decision.check or "")
                self.voids[key] = decision
            case "never_lower":
                self.floors.append(int(value["since"]))
            case "extend":
                self.extensions[who] = msgspec.convert(value, Extension)
            case "time_factor":
                self.time_factors[who] = Decimal(value["factor"])
            case "alias":
                names = self.aliases.setdefault(who, {})
                names.setdefault(decision.exercise or "", {})[value["asked"]] = value[
                    "name"
                ]
            case "adjust" | "comment":
                self.about.setdefault(who, []).append(decision)

    @property
    def best(self) -> bool:
        """True when the best attempt counts and not the last."""
        return self.rules is not None and self.rules.attempts == "best"

    def extra(self, submission: str, exercise: str) -> str:
        """What a resume key must know about this student; mostly nothing."""
        names = self.aliases.get(submission, {}).get(exercise, {})
        factor = self.time_factors.get(submission)
        if not names and factor is None:
            return ""
        return f"{sorted(names.items())} x {factor}"

    def is_plain(self, submission: str) -> bool:
        """True when no decision changes this one's exercises."""
        return not (self.voids or self.floors or submission in self.about)


def standing(db: sqlite3.Connection) -> Standing:
    """What is in force in this gradebook."""
    return Standing(history(db))
