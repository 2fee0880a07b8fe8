"""The gradebook itself: runs, what they recorded, and what counts now."""

from __future__ import annotations

import platform
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

import msgspec

from grader.gradebook import (
    counting,
    finals,
    reading,
    rows,
    sources,
    writing,
)
from grader.gradebook.database import connect, in_words, is_outside, transaction
from grader.gradebook.decided import Decided, now, who
from grader.gradebook.decisions import Standing
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


def _run_values(row: Sequence[Any]) -> dict[str, Any]:
    values = dict(zip(Run.__struct_fields__, row, strict=True))
    return {**values, "arguments": msgspec.json.decode(values["arguments"])}


class Gradebook(Decided):
    """One open gradebook; use it from the thread that opened it.

    Several processes may have the same file open: writes wait for each other
    and nothing is lost.
    """

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db
        self._standing: tuple[int, Standing] | None = None

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Open the gradebook at ``path``; a new one is made when there is none."""
        book = cls(Path(path), connect(Path(path)))
        if book._seed_row() is None:
            with transaction(book._db):
                if book._seed_row() is None:
                    book._add_seed()
        if book.get_setting(finals.SETTING) != finals.VERSION:
            with transaction(book._db):
                finals.refresh(book._db, book.standing)
        return book

    def close(self) -> None:
        """Close the file; committed work stays."""
        self._db.close()

    @property
    def connection(self) -> sqlite3.Connection:
        """The open file, for what only one module needs (purging, tests)."""
        return self._db

    def compact(self) -> None:
        """Write the file anew: deleted rows leave no trace in its free pages."""
        self._db.execute("VACUUM")
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: object, error: BaseException | None, trace: object
    ) -> None:
        self.close()
        if is_outside(error):
            raise in_words(self.path, error) from error

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

    def secret(self, name: str) -> str:
        """A secret of this gradebook in hex, drawn when it is first wanted."""
        with transaction(self._db):
            self._db.execute(
                "INSERT OR IGNORE INTO settings VALUES (?, ?)",
                (f"secret {name}", secrets.token_hex(16)),
            )
        return self.get_setting(f"secret {name}") or ""

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
        self,
        run_id: int,
        result: SubmissionResult,
        submission: Submission,
        *,
        earlier: bool = False,
    ) -> bool:
        """Add one graded submission, in one transaction.

        A result that says exactly what the latest one says (times apart) adds
        nothing. A grader error or a missing hand-in is kept in the history but
        never takes the place of an earlier score.

        With ``earlier`` it is an attempt before the last: it may turn out to be
        the best, and what stands as the last one stays.

        Returns:
            True when something was added.
        """
        with transaction(self._db):
            write = writing.record_earlier if earlier else writing.record
            added = write(self._db, run_id, now(), result, submission)
            if added:
                finals.refresh(self._db, self.standing, result.submission)
            return added

    def leave_out(self, submission_ids: Sequence[str]) -> None:
        """These count no more; their history stays, and the next grading counts."""
        with transaction(self._db):
            for table in ("final_exercises", "finals", "current"):
                self._db.executemany(
                    f"DELETE FROM {table} WHERE submission_id = ?",
                    [(who,) for who in submission_ids],
                )

    def known(self, submission_id: str, exercise: str) -> str | None:
        """The resume key under which this exercise's current result is kept."""
        return self.state(submission_id).keys.get(exercise)

    def state(self, submission_id: str) -> reading.State:
        """What the latest grading of a submission was made from."""
        return reading.state(self._db, submission_id)

    def cached(self, key: str) -> ExerciseResult | None:
        """The newest result under ``key``; never one that we are to blame for."""
        return reading.cached(self._db, key)

    # What counts

    def current(
        self, submission_id: str, *, twins: bool = True
    ) -> SubmissionResult | None:
        """What counts now for one submission; None when it is unknown.

        ``twins`` looks through the class for identical hand-ins, to warn of them.
        """
        finals = counting.finals(self._db, self.standing, submission_id, twins=twins)
        for found in finals:
            return from_json(rows.encode(found.raw))
        return None

    def results(self) -> Iterator[SubmissionResult]:
        """What counts now, one submission after the other, in the order of ids."""
        return map(from_json, self.lines())

    def lines(self) -> Iterator[bytes]:
        """``results`` as lines of JSON, mostly without decoding and encoding them."""
        for found in counting.finals(self._db, self.standing):
            yield rows.encode(found.raw)

    def after_run(self, run_id: int) -> Iterator[SubmissionResult]:
        """What counted after a run, with the decisions that are in force today."""
        for found in counting.after_run(self._db, self.standing, run_id):
            yield from_json(rows.encode(found.raw))

    def handed_in(self, submission_id: str) -> Submission | None:
        """The hand-in that counts, with its files; None when they were not kept."""
        for found in counting.finals(self._db, self.standing, submission_id):
            return sources.load(self._db, found.grading)
        return None

    def stored(self) -> Iterator[Submission]:
        """Every hand-in that stands, with its files; those not kept are left out."""
        query = "SELECT grading_id FROM current ORDER BY submission_id"
        for (grading,) in self._db.execute(query).fetchall():
            found = sources.load(self._db, grading)
            if found is not None:
                yield found

    def earlier_attempts(self) -> Iterator[Submission]:
        """Every hand-in before the last one of its submission, oldest first."""
        for grading in reading.earlier_attempts(self._db):
            found = sources.load(self._db, grading)
            if found is not None:
                yield found

    def checks(self) -> list[tuple[str, str, Decimal]]:
        """(exercise, check, its points) of every check in what counts now."""
        found = self._db.execute(
            "SELECT DISTINCT e.exercise, k.check_id, k.max_points "
            "FROM final_exercises e JOIN check_results k ON k.result_id = e.result_id"
        )
        return [(name, check, Decimal(points)) for name, check, points in found]

    def identical(self) -> list[list[str]]:
        """Groups of submissions whose files are equal, byte for byte."""
        return reading.identical(self._db)

    def revision(self) -> str:
        """Changes whenever what ``results`` gives may have changed."""
        return reading.revision(self._db)

    def states(self, submission_id: str | None = None) -> dict[str, str]:
        """What each result stands on: another text whenever it may have changed."""
        return reading.states(self._db, submission_id)

    def newest_grading(self) -> int:
        """The number of the newest grading; 0 without any."""
        return reading.newest_grading(self._db)
