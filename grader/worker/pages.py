"""Runs before student code: large pages under what is warm.

A fork copies an entry for each page of memory, and the end of a worker gives each
back. Python and torch hold 200 MB in pages of 4 KiB: that is more than most workers
compute. A page of 2 MiB is one entry; what a worker writes to is still copied in
pieces of 4 KiB. It is only speed: where the kernel cannot, nothing changes.
"""

from __future__ import annotations

import ctypes
import sys

LARGE = 2 << 20
FORKS = 24  # gathering takes as long as a few forks save
_HUGEPAGE, _COLLAPSE = 14, 25  # madvise(2); the second since Linux 6.1


class LargePages:
    """Gathers this process's own memory into large pages, once it forks a lot.

    Made before the jail, where /proc may be out of reach.
    """

    def __init__(self) -> None:
        self._parts = _own_memory()
        self._forks = 0

    def count_fork(self) -> None:
        """One more worker was forked."""
        self._forks += 1
        if self._forks == FORKS:
            self.gather()

    def gather(self) -> None:
        """Now; nothing happens a second time."""
        parts, self._parts = self._parts, []
        if not parts:
            return
        madvise = ctypes.CDLL(None).madvise
        madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        for start, end in parts:
            madvise(start, end - start, _HUGEPAGE)
            madvise(start, end - start, _COLLAPSE)  # as far as it can be done


def _own_memory() -> list[tuple[int, int]]:
    """Whole large pages of writable memory that no file stands behind."""
    if not sys.platform.startswith("linux"):
        return []
    found = []
    try:
        with open("/proc/self/maps", encoding="ascii", errors="replace") as f:
            lines = f.read().splitlines()
    except OSError:
        return []
    for line in lines:
        fields = line.split()
        if not fields[1].startswith("rw") or fields[5:] not in ([], ["[heap]"]):
            continue
        first, last = (int(n, 16) for n in fields[0].split("-"))
        start, end = -(-first // LARGE) * LARGE, last // LARGE * LARGE
        if start < end:
            found.append((start, end))
    return found
