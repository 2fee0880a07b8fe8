"""Shared memory that carries inputs to a worker and shows what became of them.

An arena is a memfd of ours, sealed against resizing (else a worker could make
our own reads fault). Space is handed out once and never again, so that every
call gets fresh memory and a graph in the worker may keep its inputs for ever.
"""

from __future__ import annotations

import fcntl
import mmap
import os

SIZE = 8 << 20
ALIGN = 64
_SEALS = 0x0001 | 0x0002 | 0x0004  # F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW
_ADD_SEALS = 1033


class Arena:
    """One piece of shared memory. ``fd`` is to be sent to the worker."""

    def __init__(self, size: int = SIZE) -> None:
        self.fd = os.memfd_create("inputs", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.fd, size)
        fcntl.fcntl(self.fd, _ADD_SEALS, _SEALS)
        self.memory = mmap.mmap(self.fd, size)
        self.size = size
        self.used = 0

    def place(self, raw: memoryview) -> int | None:
        """Copy ``raw`` in; its offset, or None when there is no room left."""
        start = -(-self.used // ALIGN) * ALIGN
        if start + raw.nbytes > self.size:
            return None
        if raw.nbytes:
            self.memory[start : start + raw.nbytes] = raw
        self.used = start + max(raw.nbytes, 1)
        return start

    def close(self) -> None:
        """Give the memory back."""
        self.memory.close()
        os.close(self.fd)


class Arenas:
    """All arenas of one worker; new ones are made when the last is full."""

    def __init__(self) -> None:
        self.arenas: list[Arena] = []
        self.unsent: list[int] = []

    def place(self, raw: memoryview) -> tuple[int, int]:
        """Copy ``raw`` into fresh memory: (number of the arena, offset)."""
        if self.arenas:
            offset = self.arenas[-1].place(raw)
            if offset is not None:
                return len(self.arenas) - 1, offset
        arena = Arena(max(SIZE, raw.nbytes + ALIGN))
        self.arenas.append(arena)
        self.unsent.append(arena.fd)
        offset = arena.place(raw)
        assert offset is not None
        return len(self.arenas) - 1, offset

    def read(self, number: int, offset: int, size: int) -> bytes:
        """What stands there now."""
        return self.arenas[number].memory[offset : offset + size]

    def close(self) -> None:
        """Give all of it back."""
        for arena in self.arenas:
            arena.close()
        self.arenas.clear()
