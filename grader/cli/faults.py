"""Whose fault it is when the system refuses a path: of the command line, or ours."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path

# The machine's troubles: another path would not help.
_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE)


def refused_path(error: BaseException | None, arguments: Sequence[str]) -> str:
    """A sentence when ``error`` is about a path that was given; empty otherwise.

    Args:
        error: an ``OSError``, or what was raised from one.
        arguments: the command line; ``--out=PATH`` is looked into as well.
    """
    while error is not None and not isinstance(error, OSError):
        error = error.__cause__
    if error is None or error.filename is None or error.errno in _MACHINE:
        return ""
    refused = Path(str(error.filename))
    if not any(_belongs(refused, path) for path in _paths(arguments)):
        return ""
    why = (error.strerror or str(error)).lower()
    return f"{refused} cannot be used: {why}. Name another file or folder."


def _paths(arguments: Sequence[str]) -> list[Path]:
    values = [a.partition("=")[2] if a.startswith("-") else a for a in arguments]
    return [Path(value) for value in values if value]


def _belongs(refused: Path, given: Path) -> bool:
    """True when ``refused`` is ``given``, lies in it, or is a folder on the way to it.

    A bare word on the command line stands for a path only when it is that path.
    """
    refused, given = refused.absolute(), given.absolute()
    return refused.is_relative_to(given) or (
        given.is_relative_to(refused) and refused != refused.parent
    )
