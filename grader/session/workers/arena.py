"""Shared memory that carries inputs to a worker and shows what became of them.

Space is handed out once and never again, so that every call gets fresh memory
and a graph in the worker may keep its inputs for ever.
"""

from __future__ import annotations

import contextlib
import mmap
import os
from collections.abc import Callable
from pathlib import Path

SIZE = 8 << 20
ALIGN = 64
_SEALS = 0x0001 | 0x0002 | 0x0004  # F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW
_ADD_SEALS = 1033


class Arena:
    """One piece of shared memory; ``fd`` is that of the file behind it."""

    def __init__(self, fd: int, size: int) -> None:
        self.fd = fd
        os.ftruncate(fd, size)
        self.memory = mmap.mmap(fd, size)
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


class MemoryArena(Arena):
    """A memfd, sealed against resizing: else a worker could make our reads fault.

    Linux only. Its descriptor travels to the worker.
    """

    def __init__(self, number: int, size: int) -> None:
        import fcntl  # not on every system that imports this module

        fd = os.memfd_create("inputs", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        super().__init__(fd, size)
        fcntl.fcntl(fd, _ADD_SEALS, _SEALS)


class FileArena(Arena):
    """A file in a folder that the worker knows, for systems without memfd."""

    def __init__(self, folder: Path, number: int, size: int) -> None:
        self._path = folder / f"inputs-{number}"
        binary = getattr(os, "O_BINARY", 0)
        super().__init__(
            os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL | binary, 0o600),
            size,
        )

    def close(self) -> None:
        """Give the memory back, and the file with it."""
        super().close()
        # Where the worker still maps it, it goes with the folder.
        with contextlib.suppress(OSError):
            self._path.unlink()


class Arenas:
    """All arenas of one worker; new ones are made when the last is full.

    Args:
        make: makes an arena of a number and a size.
    """

    def __init__(self, make: Callable[[int, int], Arena]) -> None:
        self._make = make
        self.arenas: list[Arena] = []
        self.unsent: list[int] = []

    def place(self, raw: memoryview) -> tuple[int, int]:
        """Copy ``raw`` into fresh memory: (number of the arena, offset)."""
        if self.arenas:
            offset = self.arenas[-1].place(raw)
            if offset is not None:
                return len(self.arenas) - 1, offset
        arena = self._make(len(self.arenas), max(SIZE, raw.nbytes + ALIGN))
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
