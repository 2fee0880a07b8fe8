"""Messages between a session and a worker, and how values travel. Both sides.

Nothing on the wire is code or a pickle. What comes from a worker is a claim:
``Decoder`` holds it to fixed caps and known types, and everything else is
``ProtocolError``.

This package imports no other part of the grader, and torch only when it is there
already, so that a numpy-only course never imports it.
"""

from grader.wire.caps import (
    ITEM_SIZE,
    MAX_BLOB,
    MAX_HEAD,
    MAX_NOTES,
    CannotSendError,
    ProtocolError,
)
from grader.wire.decode import Decoder
from grader.wire.encode import Encoder
from grader.wire.messages import HEADER, Failure, Handle, Reply, Request, frame, lengths
from grader.wire.notes import Note, is_note, note_frame, read_note
from grader.wire.scan import check_depth
from grader.wire.tensors import in_order

__all__ = [
    "HEADER",
    "ITEM_SIZE",
    "MAX_BLOB",
    "MAX_HEAD",
    "MAX_NOTES",
    "CannotSendError",
    "Decoder",
    "Encoder",
    "Failure",
    "Handle",
    "Note",
    "ProtocolError",
    "Reply",
    "Request",
    "check_depth",
    "frame",
    "in_order",
    "is_note",
    "lengths",
    "note_frame",
    "read_note",
]
