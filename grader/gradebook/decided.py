"""What people decided, as a part of an open gradebook."""

from __future__ import annotations

import contextlib
import getpass
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from grader.gradebook import decisions, finals, publishing
from grader.gradebook.database import transaction
from grader.gradebook.decisions import Decision, New, Standing
from grader.gradebook.people import Enrolled, Person, save_roster
from grader.gradebook.people import people as everybody
from grader.gradebook.people import roster as enrolled_people
from grader.results import SubmissionResult


class _Forget(Exception):
    """Ends a trial; nobody sees it."""


def now() -> str:
    """The time as the gradebook writes it: UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def who() -> str:
    """The account that runs a command, for the log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name, as in containers
        return "unknown"


class Decided:
    """Decisions, people and publications; ``Gradebook`` adds what was graded."""

    _db: sqlite3.Connection
    _standing: tuple[int, Standing] | None

    @property
    def standing(self) -> Standing:
        """The decisions in force."""
        newest = decisions.newest(self._db)
        if self._standing is None or self._standing[0] != newest:
            self._standing = (newest, decisions.standing(self._db))
        return self._standing[1]

    def people(self) -> dict[str, Person]:
        """Names, addresses, sections and LMS ids, by submission id."""
        return everybody(self._db, self.standing)

    def roster(self) -> list[Enrolled]:
        """The roster in force; empty without one."""
        return enrolled_people(self._db, self.standing)

    def log(self) -> list[Decision]:
        """Every decision, oldest first; also those that were taken back."""
        return decisions.history(self._db)

    def decide(self, new: New, *, enrolled: Sequence[Enrolled] = ()) -> int:
        """Append a decision and let it take effect; returns its number.

        ``enrolled`` is the roster that a decision of that kind brings.
        """
        with transaction(self._db):
            number = decisions.add(self._db, now(), who(), new)
            if new.kind == "roster":
                save_roster(self._db, number, enrolled)
            finals.refresh(self._db, self.standing, new.submission)
        return number

    def concerned(self, grading: int, since: int) -> set[str] | None:
        """Of whom there is a grading or a decision after these; None: everybody."""
        query = "SELECT DISTINCT submission_id FROM gradings WHERE id > ?"
        found = {who for (who,) in self._db.execute(query, (grading,))}
        for decision in self.log():
            if decision.id > since and decision.kind != "publish":
                if decision.submission is None:
                    return None
                found.add(decision.submission)
        return found

    def publish(self, new: New, results: Iterable[SubmissionResult]) -> tuple[int, int]:
        """Freeze what is handed back; (decision, how many submissions)."""
        with transaction(self._db):
            number = decisions.add(self._db, now(), who(), new)
            return number, publishing.save(self._db, number, results)

    def published(self) -> tuple[int | None, dict[str, dict[str, Any]]]:
        """(newest publication, submission -> what was handed back last)."""
        return publishing.load(self._db)

    @contextlib.contextmanager
    def trial(self, dry: bool = True) -> Iterator[None]:
        """A block whose changes are forgotten at its end, when it is ``dry``.

        Everything inside runs as always, so a dry run shows what would be. When
        not dry, the block is one transaction: all of it happens or nothing.
        """
        try:
            with transaction(self._db):
                yield
                if dry:
                    raise _Forget
        except _Forget:
            pass
        except BaseException:
            self._standing = None
            raise
        if dry:
            self._standing = None
