"""Runs beside student code: how bytes come and go, by socket or by pipe."""

from __future__ import annotations

import contextlib
import mmap
import os
import queue
import socket
import sys
import threading
from pathlib import Path
from typing import Protocol

from grader import wire

CHUNK = 1 << 16
# Written to the captured output after every reply: all before it belongs to it.
MARK = b"\0grader:%d\0"


class Channel(Protocol):
    """The way to the session."""

    def header(self) -> bytes | None:
        """The 8 bytes before a message, None when the session hung up."""

    def exactly(self, count: int) -> bytearray:
        """The next ``count`` bytes; without them the process ends."""

    def send(self, data: bytes) -> None:
        """One whole message."""

    def tell(self, data: bytes) -> None:
        """A note, before the message that it belongs to."""

    def arena(self, number: int) -> memoryview:
        """Shared memory that the session placed inputs in."""


class SocketChannel:
    """A stream socket; descriptors of arenas ride on it."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._arenas: list[memoryview] = []
        self._buffer = bytearray()
        self.arena = self._arenas.__getitem__
        self.send = self.tell = channel.sendall

    def header(self) -> bytes | None:
        """The 8 bytes before a message, None when the session hung up."""
        if not self._buffer and not self._receive():
            return None
        return bytes(self.exactly(wire.HEADER.size))

    def _receive(self) -> bool:
        """Take what waits, mostly a whole message; False when the session hung up."""
        data, fds, _, _ = socket.recv_fds(self._channel, CHUNK, 1)
        for fd in fds:
            size = os.fstat(fd).st_size
            self._arenas.append(memoryview(mmap.mmap(fd, size)))
            os.close(fd)
        self._buffer += data
        return bool(data)

    def exactly(self, count: int) -> bytearray:
        """The next ``count`` bytes; without them the process ends."""
        while len(self._buffer) < count:
            if not self._receive():
                os._exit(0)
        taken = self._buffer[:count]
        del self._buffer[:count]
        return taken


class PipeChannel:
    """A pair of pipes, for systems without descriptors over sockets.

    A thread reads: so this process ends with the session even in the middle of
    an endless loop. Arenas are files in ``folder``.
    """

    def __init__(self, source: int, sink: int, folder: Path) -> None:
        self._source = source
        self._sink = sink
        self._folder = folder
        self._arenas: dict[int, memoryview] = {}
        self._chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._buffer = bytearray()
        self._sent = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while data := os.read(self._source, CHUNK):
            self._chunks.put(data)
        os._exit(0)

    def header(self) -> bytes:
        """The 8 bytes before a message."""
        return bytes(self.exactly(wire.HEADER.size))

    def exactly(self, count: int) -> bytearray:
        """The next ``count`` bytes."""
        while len(self._buffer) < count:
            self._buffer += self._chunks.get()
        taken = self._buffer[:count]
        del self._buffer[:count]
        return taken

    def send(self, data: bytes) -> None:
        """One whole message, and the mark that ends what was printed for it."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # student code may have put another
                stream.flush()
        self._sent += 1
        write_all(2, MARK % self._sent)
        write_all(self._sink, data)

    def tell(self, data: bytes) -> None:
        """A note, before the message that it belongs to."""
        write_all(self._sink, data)

    def arena(self, number: int) -> memoryview:
        """Shared memory that the session placed inputs in."""
        if number not in self._arenas:
            with open(self._folder / f"inputs-{number}", "r+b") as f:
                self._arenas[number] = memoryview(mmap.mmap(f.fileno(), 0))
        return self._arenas[number]


def write_all(fd: int, data: bytes) -> None:
    """Every byte of ``data``."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
