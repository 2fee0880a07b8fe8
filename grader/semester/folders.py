"""Folders that appear whole: until then the old one stays as it is."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from grader.errors import EnvironmentFault, UsageError
from grader.intake.words import show

MARK = ".written-by-grader"  # lies in every folder that may be replaced


@contextlib.contextmanager
def replacing_folder(target: Path) -> Iterator[Path]:
    """A folder to fill; it takes the place of ``target`` when the block ends well.

    Raises:
        UsageError: what is there now was not written by us.
        EnvironmentFault: it cannot be written.
    """
    target = target.resolve()
    _refuse_foreign(target)
    fresh = target.with_name(f".{target.name}.partial")
    old = target.with_name(f".{target.name}.old")
    try:
        _recover(target, old)
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        (fresh / MARK).touch()
        yield fresh
        if target.exists():
            os.rename(target, old)
        os.rename(fresh, target)
        shutil.rmtree(old, ignore_errors=True)
    except BaseException as e:
        _recover(target, old)
        shutil.rmtree(fresh, ignore_errors=True)
        if isinstance(e, OSError):
            e.filename = str(target)
            raise EnvironmentFault(f"{target} cannot be written: {e.strerror}.") from e
        raise


def _refuse_foreign(target: Path) -> None:
    """Whatever else lies there would be gone."""
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target} is no folder; name one that is new or empty.")
    if not target.exists() or (target / MARK).exists():
        return
    found = min((p.name for p in target.iterdir()), default="")
    if found:
        raise UsageError(
            f"{target} holds other things ({show(found)}), which would be lost; name a "
            "folder that is new or empty."
        )


def _recover(target: Path, old: Path) -> None:
    """Bring the old folder back when a writer died between its two renamings."""
    if old.exists():
        if target.exists():
            shutil.rmtree(old)
        else:
            os.rename(old, target)
