"""Names and numbers as they stand in messages."""

from __future__ import annotations

import unicodedata

_LONGEST = 120


def show(name: str) -> str:
    """``name`` fit for a message: one line, nothing invisible, not too long.

    Control, format (right-to-left overrides among them), surrogate and private
    characters are written as escapes.
    """
    if len(name) <= _LONGEST and name.isascii() and name.isprintable():
        return name
    out = []
    for char in name:
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
            code = ord(char)
            out.append(f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
        else:
            out.append(char)
    text = "".join(out)
    if len(text) <= _LONGEST:
        return text
    half = (_LONGEST - 3) // 2
    return f"{text[:half]}...{text[-half:]}"


def clean(text: str) -> str:
    """``text`` without lone surrogates, so that UTF-8 can always hold it."""
    return text.encode("utf-8", "replace").decode("utf-8")


def listed(names: list[str], most: int = 6) -> str:
    """``a, b, c and 4 more``."""
    shown = ", ".join(show(n) for n in names[:most])
    more = len(names) - most
    return f"{shown} and {more} more" if more > 0 else shown


def count(number: int, one: str, many: str = "") -> str:
    """``1 file``, ``2 files``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def size(number: int) -> str:
    """Bytes for people: ``812 bytes``, ``3.4 MB``."""
    if number < 10_000:
        return count(number, "byte")
    if number < 1_000_000:
        return f"{number / 1_000:.0f} kB"
    return f"{number / 1_000_000:.1f} MB"
