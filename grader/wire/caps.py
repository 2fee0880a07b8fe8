"""How large and how deep a message may be, and what breaks these rules."""

from __future__ import annotations

MAX_HEAD = 1 << 20  # bytes: a value's structure, strings and errors
MAX_BLOB = 1 << 26  # bytes: the tensors of one message
MAX_DEPTH = 24
MAX_DIMS = 16
MAX_NUMBERS = 1 << 22  # of one tensor: list() makes 900 bytes of each
MAX_TENSORS = 1 << 13  # of one message: to build and to compare one takes 60 us
MAX_ITEMS = 1 << 17  # of plain data, all told: as many floats as a head has room for
MAX_KEYS = 1024  # of one dict: a worker can choose keys that collide, n * n / 2
MAX_NOTES = 10_000  # progress notes while one request is answered
MAX_HOLLOW = 1 << 20  # other sizes of a tensor with a size of 0: a sum fills them

# name -> bytes per number; the names are those of torch and of numpy.
ITEM_SIZE = {
    "float64": 8, "float32": 4, "float16": 2, "bfloat16": 2,
    "complex64": 8, "complex128": 16, "bool": 1, "uint8": 1,
    "int8": 1, "int16": 2, "int32": 4, "int64": 8,
}  # fmt: skip


class ProtocolError(Exception):
    """A peer sent something that is no message of ours."""


class CannotSendError(TypeError):
    """A value is not plain data and has no place on the wire."""
