"""What a peer sent, looked over before it is built or once it is."""

from __future__ import annotations

from typing import Any

from grader.wire.caps import MAX_DEPTH, MAX_ITEMS, MAX_KEYS, ProtocolError

TOO_MANY = f"more than {MAX_ITEMS} values in one answer"
_SMALL_HEAD = 4096  # bytes; no map in here has keys enough to matter

# MessagePack: bytes of a token by its first byte; those with a length of their
# own: (bytes of the length, bytes between it and the content).
_FIXED = {
    0xC0: 1, 0xC2: 1, 0xC3: 1, 0xCA: 5, 0xCB: 9, 0xCC: 2, 0xCD: 3, 0xCE: 5,
    0xCF: 9, 0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9, 0xD4: 3, 0xD5: 4, 0xD6: 6,
    0xD7: 10, 0xD8: 18, 0xDC: 3, 0xDD: 5,
}  # fmt: skip
_SIZED = {
    0xC4: (1, 0), 0xC5: (2, 0), 0xC6: (4, 0), 0xC7: (1, 1), 0xC8: (2, 1),
    0xC9: (4, 1), 0xD9: (1, 0), 0xDA: (2, 0), 0xDB: (4, 0),
}  # fmt: skip


def check_maps(data: bytes | bytearray | memoryview) -> None:
    """Refuse too many things, and a map of too many keys, before they are built.

    Keys that collide make a dict of n keys cost n * n / 2 comparisons: 50,000
    tuples of one hash fit into a head and took minutes.
    """
    at, end = 0, len(data)
    if end <= _SMALL_HEAD:
        return
    for _ in range(MAX_ITEMS):
        if at >= end:
            return
        first = data[at]
        if first < 0xA0 or first >= 0xE0:  # a small int, map or list
            at += 1
        elif first < 0xC0:  # a short string
            at += 1 + (first & 0x1F)
        elif first in _FIXED:
            at += _FIXED[first]
        elif first in _SIZED:
            width, gap = _SIZED[first]
            size = int.from_bytes(data[at + 1 : at + 1 + width], "big")
            at += 1 + width + gap + size
        elif first in (0xDE, 0xDF):
            width = 2 if first == 0xDE else 4
            if int.from_bytes(data[at + 1 : at + 1 + width], "big") > MAX_KEYS:
                raise ProtocolError(f"a dict of more than {MAX_KEYS} keys")
            at += 1 + width
        else:
            raise ProtocolError("malformed message: a byte that means nothing")
    if at < end:
        raise ProtocolError(TOO_MANY)


def check_depth(value: Any) -> None:
    """Refuse plain data nested deeper than MAX_DEPTH, too much of it, odd dict keys.

    Raises:
        ProtocolError: it is.
    """
    _walk(value, 0, MAX_ITEMS)


def _walk(value: Any, depth: int, left: int) -> int:
    """How much more there may be."""
    if depth > MAX_DEPTH:
        raise ProtocolError("a message nested too deeply")
    kind = type(value)
    if kind is list or kind is tuple or kind is dict:
        left -= len(value)
        if left < 0:
            raise ProtocolError(TOO_MANY)
        if kind is dict:
            for key in value:
                if type(key) not in (str, int, bool):
                    raise ProtocolError("a dict key that is no string or number")
            value = value.values()
        for item in value:
            left = _walk(item, depth + 1, left)
    return left
