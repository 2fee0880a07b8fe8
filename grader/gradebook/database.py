"""Opening the gradebook's file: permissions, WAL, migrations with a backup."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeGuard

from grader.errors import EnvironmentFault, GraderError, UsageError
from grader.gradebook.schema import APPLICATION_ID, MIGRATIONS

BUSY_S = 60.0  # one process waits so long for another one's transaction
_TAKEN = "is held by another program; run the command again when that is done"
_SHUT = "cannot be opened for writing; copy its folder to where you may write"
# What can befall a file, by SQLite's number: whose it is, and the sentence.
OUTSIDE: dict[int, tuple[type[GraderError], str]] = {
    sqlite3.SQLITE_BUSY: (EnvironmentFault, _TAKEN),
    sqlite3.SQLITE_LOCKED: (EnvironmentFault, _TAKEN),
    sqlite3.SQLITE_FULL: (
        EnvironmentFault,
        "has no room left to grow; make some and run the same command again, which "
        "goes on from what is recorded",
    ),
    sqlite3.SQLITE_IOERR: (EnvironmentFault, "cannot be read or written"),
    sqlite3.SQLITE_READONLY: (UsageError, _SHUT),
    sqlite3.SQLITE_CANTOPEN: (UsageError, _SHUT),
    sqlite3.SQLITE_PERM: (UsageError, _SHUT),
    sqlite3.SQLITE_CORRUPT: (UsageError, "is damaged; put a copy in its place"),
    sqlite3.SQLITE_NOTADB: (UsageError, "is not a gradebook"),
}


def connect(
    path: Path, migrations: Sequence[Sequence[str]] = MIGRATIONS
) -> sqlite3.Connection:
    """Open ``path``, creating and migrating it when needed.

    Only the owner may read the file: it holds grades and the secret seed.

    Raises:
        UsageError: it is no gradebook, or a newer grader wrote it.
        EnvironmentFault: the folder cannot be written to.
    """
    _create(path)
    try:
        # Transactions are opened by hand (BEGIN IMMEDIATE), hence isolation_level.
        db = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
    except sqlite3.Error as e:
        raise in_words(path, e) from e
    try:
        _refuse_foreign(db, path)
        _use_wal(db)
        db.execute("PRAGMA foreign_keys = ON")
        # In WAL mode NORMAL survives kill -9; a power cut may take the last
        # submissions, which the next run grades again.
        db.execute("PRAGMA synchronous = NORMAL")
        migrate(db, path, migrations)
    except sqlite3.DatabaseError as e:
        db.close()
        raise in_words(path, e) from e
    except BaseException:
        db.close()
        raise
    return db


def is_outside(error: BaseException | None) -> TypeGuard[sqlite3.Error]:
    """True for what befell the file, and was not done wrong by us."""
    code = error.sqlite_errorcode if isinstance(error, sqlite3.Error) else None
    return code is not None and code & 0xFF in OUTSIDE


def in_words(path: Path, error: sqlite3.Error) -> GraderError:
    """What SQLite says of the gradebook at ``path``, with what to do about it."""
    if not is_outside(error):
        return EnvironmentFault(f"{path}: {error}.")
    if path.is_dir():
        return UsageError(f"{path} is a folder, not a gradebook; name another --out.")
    owner, words = OUTSIDE[error.sqlite_errorcode & 0xFF]
    return owner(f"{path} {words} ({error}).")


def _create(path: Path) -> None:
    # Only when it is new: opening and closing a database file by hand would drop
    # the locks that this process's other connections hold on it.
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    except OSError as e:
        raise EnvironmentFault(f"{path} cannot be created: {e.strerror}.") from e


def _use_wal(db: sqlite3.Connection) -> None:
    # Switching the journal takes an exclusive lock and does not wait for it.
    deadline = time.monotonic() + BUSY_S
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as e:
            busy = e.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _refuse_foreign(db: sqlite3.Connection, path: Path) -> None:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables and application != APPLICATION_ID:
        raise UsageError(f"{path} is a database, but not a gradebook.")


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing; inside another transaction, a part of that one.

    The write lock is taken at the start, so that no read inside can be
    overtaken by another process.
    """
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def version(db: sqlite3.Connection) -> int:
    """How many migrations the file has seen."""
    (number,) = db.execute("PRAGMA user_version").fetchone()
    return int(number)


def migrate(
    db: sqlite3.Connection, path: Path, migrations: Sequence[Sequence[str]]
) -> None:
    """Bring the file to the newest schema, each step in a transaction.

    A copy named after the old version is written beside the file first.
    """
    while (found := version(db)) < len(migrations):
        with transaction(db):
            # Another process may have been faster; the lock makes this certain.
            if version(db) != found:
                continue
            if found:
                backup(path, path.with_name(f"{path.name}.v{found}.backup"))
            # A new file goes all the way at once: there is nothing to back up.
            steps = migrations[found : found + 1] if found else migrations
            for statement in (s for step in steps for s in step):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {found + len(steps)}")
    if found > len(migrations):
        raise UsageError(
            f"{path} was written by a newer grader (schema {found}, this one knows "
            f"{len(migrations)}); upgrade the grader."
        )


def backup(path: Path, target: Path) -> None:
    """Copy the committed state of ``path``; whole or not at all."""
    partial = target.with_name(target.name + ".partial")
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    with (
        contextlib.closing(sqlite3.connect(path, timeout=BUSY_S)) as source,
        contextlib.closing(sqlite3.connect(partial)) as copy,
    ):
        source.backup(copy)
    os.replace(partial, target)
