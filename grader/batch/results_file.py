"""results.jsonl: what counts now, one submission a line, sorted by id."""

from __future__ import annotations

from pathlib import Path

from grader.atomic import alone, replacing
from grader.gradebook import Gradebook

SETTING = "results_file"


def write_results(book: Gradebook, path: Path) -> bool:
    """Write ``path`` anew from the gradebook, whole or not at all.

    Returns:
        False when nothing has changed since this file was written.
    """
    with alone(path.parent):
        return _write(book, path)


def _write(book: Gradebook, path: Path) -> bool:
    # Before the first line is read: what another process adds meanwhile makes the
    # stamp wrong, never the file seem newer than it is.
    revision = book.revision()
    if book.get_setting(SETTING) == _stamp(revision, path):
        return False
    with replacing(path) as file:
        for line in book.lines():
            file.write(line + b"\n")
    book.set_setting(SETTING, _stamp(revision, path))
    return True


def _stamp(revision: str, path: Path) -> str:
    """Names the gradebook's state and the very file that holds it."""
    try:
        stat = path.stat()
    except FileNotFoundError:
        return ""
    return f"{revision} {path.resolve()} {stat.st_size} {stat.st_mtime_ns}"
