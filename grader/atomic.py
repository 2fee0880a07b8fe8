"""Files that are replaced whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from grader.errors import EnvironmentFault, UsageError

LOCK = ".writing"
LOCK_S = 600.0  # the pages of a large class take minutes


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to; it takes the place of ``path`` when the block ends well.

    Whatever goes wrong, ``path`` is as it was. Its mode is kept; a new file gets
    the usual one. A link goes on leading where it leads.

    Raises:
        UsageError: ``path`` is a folder, a device or a pipe.
        EnvironmentFault: the folder is not there or cannot be written to.
    """
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "no ordinary file"
        raise UsageError(f"{path} is {what}; name a file to write.")
    real = path.resolve()
    try:
        handle, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
    except OSError as e:
        e.filename = str(path)  # what was asked for, not the file that helps
        raise EnvironmentFault(f"{path} cannot be written: {e.strerror}.") from e
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(real))
        os.replace(name, real)
    except BaseException as e:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        if isinstance(e, OSError):
            e.filename = str(path)
            raise EnvironmentFault(f"{path} cannot be written: {e.strerror}.") from e
        raise


def write_atomically(path: Path, data: bytes) -> None:
    """Replace ``path`` by ``data``."""
    with replacing(path) as file:
        file.write(data)


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One process at a time writes what lies in ``folder``; others wait.

    The lock is one of SQLite's, so it works on every system and ends with its
    holder, whatever ends it. Readers are not held up.
    """
    folder.mkdir(parents=True, exist_ok=True)
    try:
        lock = sqlite3.connect(folder / LOCK, timeout=LOCK_S, isolation_level=None)
    except sqlite3.Error as e:
        raise EnvironmentFault(f"{folder / LOCK} cannot be written ({e}).") from e
    with contextlib.closing(lock) as db:
        try:
            db.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as e:
            if e.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                message = f"{folder / LOCK} cannot be written ({e})."
                raise EnvironmentFault(message) from e
            raise EnvironmentFault(
                f"{folder} is being written by somebody else; try again."
            ) from e
        yield
        db.execute("ROLLBACK")


def _mode(path: Path) -> int:
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
