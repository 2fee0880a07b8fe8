"""Requests and replies, and their frames.

A frame is 8 bytes (two big-endian uint32: length of head and blob), a head in
MessagePack, and a blob of raw tensor bytes.
"""

from __future__ import annotations

import struct
from typing import Any

import msgspec

from grader.wire.caps import MAX_BLOB, MAX_HEAD, CannotSendError, ProtocolError

HEADER = struct.Struct(">II")
_pack = msgspec.msgpack.Encoder().encode


class Handle(msgspec.Struct, frozen=True):
    """The number of an object that stays in the worker."""

    number: int


class Request(msgspec.Struct, array_like=True):
    """From the session. ``op`` is one of server.OPERATIONS.

    ``target`` names what is called; ``value`` holds (args, kwargs) or the
    operation's own data; ``grad`` is the session's grad mode; ``release``
    lists graphs and handles that nobody needs any more. ``seed`` comes with the
    first request of a check, for the worker's own generators. ``patience`` is
    (CPU seconds, wall seconds) after which the worker says where it is.
    """

    number: int
    op: str
    target: list[Any]
    value: Any = None
    grad: bool = True
    release: list[int] = []
    seed: int | None = None
    patience: list[float] = []


class Failure(msgspec.Struct, array_like=True):
    """An exception in the worker, as text.

    ``kinds`` are the class names along its method resolution order, ``frames``
    (file, line, function) triples, innermost last.
    """

    kinds: list[str]
    message: str
    frames: list[tuple[str, int, str]] = []


class Reply(msgspec.Struct, array_like=True):
    """From a worker, answering the request of the same number.

    ``graph`` is the number of the graph kept for backward (0: none),
    ``tracked`` which of the tensors in ``value``, counted in order, belong to
    it. ``failure`` is set when the operation raised.
    """

    number: int
    value: Any = None
    graph: int = 0
    tracked: list[int] = []
    failure: Failure | None = None


def frame(message: Request | Reply, blob: bytes | bytearray = b"") -> bytes:
    """The bytes of one message.

    Raises:
        CannotSendError: the structure of the value is too large.
    """
    head = _pack(message)
    if len(head) > MAX_HEAD:
        raise CannotSendError(f"more than {MAX_HEAD >> 20} MiB of plain values")
    return b"".join((HEADER.pack(len(head), len(blob)), head, blob))


def lengths(header: bytes) -> tuple[int, int]:
    """Length of head and blob from 8 bytes.

    Raises:
        ProtocolError: one is over its cap.
    """
    head, blob = HEADER.unpack(header)
    if not 0 < head <= MAX_HEAD or blob > MAX_BLOB:
        raise ProtocolError("a message over the size limit")
    return head, blob
