"""Runs beside student code: standard streams as a process has them at its start."""

from __future__ import annotations

import sys


def anew() -> None:
    """Open standard output and error again, on the descriptors 1 and 2.

    A hand-in may have closed, detached or wrapped what was there; and a stream
    remembers whether what it was opened on could be sought in: where that was
    /dev/null, ``reconfigure()`` in a hand-in would raise.
    """
    for name, fd in (("stdout", 1), ("stderr", 2)):
        stream = open(
            fd, "w", buffering=1, closefd=False, encoding="utf-8", errors="replace"
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
