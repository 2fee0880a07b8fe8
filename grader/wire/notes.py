"""Notes of progress, between a request and its reply.

The header of a note is one that no message has, its body three numbers, so that any
bytes of that length are one.
"""

from __future__ import annotations

import struct

import msgspec

from grader.wire.caps import CannotSendError
from grader.wire.messages import HEADER

_NOTE_HEADER = HEADER.pack(0xFFFFFFFF, 0)
_NOTE = struct.Struct(">qqd")


class Note(msgspec.Struct, frozen=True):
    """Progress, as student code tells it: shown while it runs, never trusted."""

    step: int
    steps: int
    value: float


def note_frame(note: Note) -> bytes:
    """The bytes of a note, header included.

    Raises:
        CannotSendError: a step is no number of 64 bits.
    """
    try:
        return _NOTE_HEADER + _NOTE.pack(note.step, note.steps, note.value)
    except struct.error as e:
        raise CannotSendError(f"a step of this kind: {e}") from None


def is_note(header: bytes | bytearray) -> bool:
    """Whether the 24 bytes of a note follow."""
    return header == _NOTE_HEADER


def read_note(body: bytes | bytearray) -> Note:
    """The note in 24 bytes, whatever they are."""
    return Note(*_NOTE.unpack(body))
