"""The gradebook itself: runs, what they recorded, and what counts now."""

from __future__ import annotations

import getpass
import platform
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import msgspec

from grader.gradebook import reading, rows, writing
from grader.gradebook.database import connect, transaction
from grader.results import ExerciseResult, SubmissionResult, from_json
from grader.submission import Submission


class Run(msgspec.Struct, frozen=True):
    """One call of the grader, as kept in ``runs``."""

    id: int
    started_at: str
    finished_at: str | None
    state: str
    author: str
    arguments: list[str]
    isolation: str


def now() -> str:
    """The time as the gradebook writes it: UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def who() -> str:
    """The account that runs a command, for the log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name, as in containers
        return "unknown"


def _run_values(row: Sequence[Any]) -> dict[str, Any]:
    values = dict(zip(Run.__struct_fields__, row, strict=True))
    return {**values, "arguments": msgspec.json.decode(values["arguments"])}


class Gradebook:
    """One open gradebook; use it from the thread that opened it.

    Several processes may have the same file open: writes wait for each other
    and nothing is lost.
    """

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open the gradebook at ``path``; a new one is made when there is none."""
        book = cls(Path(path), connect(Path(path)))
        if book._seed_row() is None:
            with transaction(book._db):
                if book._seed_row() is None:
                    book._add_seed()
        return book

    def close(self) -> None:
        """Close the file; committed work stays."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # Seeds and settings

    @property
    def seed(self) -> str:
        """The secret that every check's draws come from."""
        return str(self._seed_row()[1])

    def new_seed(self) -> str:
        """Draw a new seed: everything is graded again on the next run."""
        with transaction(self._db):
            self._add_seed()
        return self.seed

    def _seed_row(self) -> Any:
        query = "SELECT id, seed FROM seeds ORDER BY id DESC LIMIT 1"
        return self._db.execute(query).fetchone()

    def _add_seed(self) -> None:
        self._db.execute(
            "INSERT INTO seeds (seed, created_at) VALUES (?, ?)",
            (secrets.token_hex(16), now()),
        )

    def get_setting(self, name: str, default: str | None = None) -> str | None:
        """The setting called ``name``."""
        query = "SELECT value FROM settings WHERE name = ?"
        row = self._db.execute(query, (name,)).fetchone()
        return default if row is None else str(row[0])

    def set_setting(self, name: str, value: str) -> None:
        """Store a setting, over its earlier value."""
        with transaction(self._db):
            self._db.execute(
                "INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value)
            )

    def widen_setting(self, name: str, values: Sequence[str]) -> list[str]:
        """Add ``values`` to a setting that is a list; returns the whole list."""
        with transaction(self._db):
            known = msgspec.json.decode(self.get_setting(name) or "[]", type=list[str])
            wide = known + [v for v in values if v not in known]
            if wide != known:
                text = msgspec.json.encode(wide).decode()
                self._db.execute(
                    "INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, text)
                )
        return wide

    # Runs

    def begin_run(
        self,
        arguments: Sequence[str] = (),
        *,
        isolation: str = "none",
        versions: Mapping[str, str] | None = None,
        limits: Any = None,
        author: str | None = None,
    ) -> int:
        """Write down that grading starts; returns the run's number."""
        text = rows.encode(dict(sorted((versions or {}).items()))).decode()
        with transaction(self._db):
            self._db.execute(
                "INSERT OR IGNORE INTO version_sets (versions) VALUES (?)", (text,)
            )
            cursor = self._db.execute(
                "INSERT INTO runs (started_at, author, host, arguments, seed_id, "
                "version_set_id, isolation, limits) VALUES (?, ?, ?, ?, ?, "
                "(SELECT id FROM version_sets WHERE versions = ?), ?, ?)",
                (
                    now(),
                    author or who(),
                    platform.node(),
                    rows.encode(list(arguments)).decode(),
                    self._seed_row()[0],
                    text,
                    isolation,
                    rows.encode(limits).decode(),
                ),
            )
            return int(cursor.lastrowid or 0)

    def finish_run(
        self, run_id: int, state: str = "finished", summary: Any = None
    ) -> None:
        """Close a run: "finished", "interrupted" or "failed"."""
        with transaction(self._db):
            self._db.execute(
                "UPDATE runs SET finished_at = ?, state = ?, summary = ? WHERE id = ?",
                (now(), state, rows.encode(summary).decode(), run_id),
            )

    def runs(self) -> list[Run]:
        """Every run, oldest first. One that was killed is still "running"."""
        query = (
            "SELECT id, started_at, finished_at, state, author, arguments, isolation "
            "FROM runs ORDER BY id"
        )
        return [
            msgspec.convert(_run_values(row), Run) for row in self._db.execute(query)
        ]

    # What was graded

    def record(
        self, run_id: int, result: SubmissionResult, submission: Submission
    ) -> bool:
        """Add one graded submission, in one transaction.

        A result that says exactly what the latest one says (times apart) adds
        nothing. A grader error or a missing hand-in is kept in the history but
        never takes the place of an earlier score.

        Returns:
            True when something was added.
        """
        with transaction(self._db):
            return writing.record(self._db, run_id, now(), result, submission)

    def known(self, submission_id: str, exercise: str) -> str | None:
        """The resume key under which this exercise's current result is kept."""
        return self.state(submission_id).keys.get(exercise)

    def state(self, submission_id: str) -> reading.State:
        """What the latest grading of a submission was made from."""
        return reading.state(self._db, submission_id)

    def cached(self, key: str) -> ExerciseResult | None:
        """The newest result under ``key``; never one that we are to blame for."""
        return reading.cached(self._db, key)

    def current(self, submission_id: str) -> SubmissionResult | None:
        """What counts now for one submission; None when it is unknown."""
        for line in reading.lines(self._db, submission_id):
            return from_json(line)
        return None

    def results(self) -> Iterator[SubmissionResult]:
        """What counts now, one submission after the other, in the order of ids."""
        return map(from_json, self.lines())

    def lines(self) -> Iterator[bytes]:
        """``results`` as lines of JSON, without decoding and encoding them."""
        return reading.lines(self._db)

    def identical(self) -> list[list[str]]:
        """Groups of submissions whose files are equal, byte for byte."""
        return reading.identical(self._db)

    def people(self) -> dict[str, reading.Person]:
        """Names, addresses and LMS ids, by submission id."""
        return reading.people(self._db)

    def revision(self) -> str:
        """Changes whenever what ``results`` gives may have changed."""
        return reading.revision(self._db)
