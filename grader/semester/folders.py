"""Folders that appear whole: until then the old one stays as it is."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from grader.errors import EnvironmentFault


@contextlib.contextmanager
def replacing_folder(target: Path) -> Iterator[Path]:
    """A folder to fill; it takes the place of ``target`` when the block ends well.

    Raises:
        EnvironmentFault: it cannot be written.
    """
    fresh = target.with_name(f".{target.name}.partial")
    old = target.with_name(f".{target.name}.old")
    try:
        _recover(target, old)
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
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


def _recover(target: Path, old: Path) -> None:
    """Bring the old folder back when a writer died between its two renamings."""
    if old.exists():
        if target.exists():
            shutil.rmtree(old)
        else:
            os.rename(old, target)
