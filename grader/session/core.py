"""One core for a session and its workers: they take turns, so one is all they use.

On two cores each of their messages wakes a core that has gone to sleep, which
takes longer than most calls; on one it is a switch. Sessions of a batch sit on
cores of their own; whoever grades alone stays where the kernel has put it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

HERE = -1  # whichever core runs us as an exercise begins


def cores() -> list[int]:
    """Cores that this thread may run on; [] where the system does not say."""
    if not hasattr(os, "sched_getaffinity"):
        return []
    return sorted(os.sched_getaffinity(0))


def seat(number: int) -> int:
    """The core of session ``number`` of a batch, counted from where we are now."""
    known = cores()
    try:
        return known[(known.index(_current()) + number) % len(known)]
    except (OSError, ValueError):
        return HERE


@contextlib.contextmanager
def on_core(core: int | None) -> Iterator[None]:
    """Stay on ``core``, and so do workers that are asked for; None: on any.

    Where it cannot be had, nothing changes.
    """
    before = cores()
    if core is None or len(before) < 2:
        yield
        return
    with contextlib.suppress(OSError, ValueError):
        os.sched_setaffinity(0, {_current() if core == HERE else core})
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, before)


def _current() -> int:
    """The core that runs this line: the 39th number of proc(5)'s stat."""
    with open("/proc/thread-self/stat", encoding="ascii", errors="replace") as file:
        return int(file.read().rpartition(")")[2].split()[36])
