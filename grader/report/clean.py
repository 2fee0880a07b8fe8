"""Text that students control, made harmless before anybody looks at it.

A print, an exception message, a file name or a student's id can carry escape
sequences that repaint a terminal, marks that turn the reading direction, or
characters that make an XML parser give up. Each of them is replaced by
something visible, so that a TA sees that it was there and what it was.
"""

from __future__ import annotations

import unicodedata

LINE_LIMIT = 300
TEXT_LIMIT = 8_000
TEXT_LINES = 120
MARKS_IN_A_ROW = 3

_KEPT = "\t\n"
_PICTURES = 0x2400  # U+2400 is the visible picture of U+0000, and so on
# Invisible although Unicode calls them letters, marks or symbols.
_BLANKS = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
# Emoji need these two; the other variation selectors can smuggle text.
_EMOJI_STYLE = {0xFE0E, 0xFE0F}
_BAD_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}


class _Visible(dict[int, str]):
    """A table for ``str.translate`` that fills itself, one code point a time."""

    def __missing__(self, code: int) -> str:
        self[code] = text = _visible(code)
        return text


def _visible(code: int) -> str:
    char = chr(code)
    if char in _KEPT or code in _EMOJI_STYLE:
        return char
    if code < 0x20:
        return chr(_PICTURES + code)
    if code == 0x7F:
        return "\u2421"
    if unicodedata.category(char) in _BAD_CATEGORIES or _is_hidden(code):
        return f"<U+{code:04X}>"
    return char


def _is_hidden(code: int) -> bool:
    selector = 0xFE00 <= code <= 0xFE0D or 0xE0100 <= code <= 0xE01EF
    non_character = (code & 0xFFFE) == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return code in _BLANKS or selector or non_character


_TABLE = _Visible()


def clean_text(text: str, limit: int = TEXT_LIMIT, lines: int = TEXT_LINES) -> str:
    """Text of several lines: visible characters only, head and tail if long.

    Args:
        text: anything, 100 MB of it if need be: it is cut before it is read.
        limit: characters kept.
        lines: lines kept.

    Returns:
        Text whose only control characters are tab and line feed.
    """
    if _is_plain(text, limit):
        return text
    text = _cut(text, limit)
    text = text.replace("\r\n", "\n").translate(_TABLE)
    return _thin_marks(_cut_lines(text, lines))


def clean_line(text: str, limit: int = LINE_LIMIT) -> str:
    """One line of text: like ``clean_text``, tabs and line ends made visible."""
    if _is_plain(text, limit):
        return text
    text = _cut(text, limit, joint=" ... ")
    text = text.translate(_TABLE).replace("\n", "\u240a").replace("\t", "\u2409")
    return _thin_marks(text)


def _is_plain(text: str, limit: int) -> bool:
    """A short line of printable ASCII, as most texts are, stays as it is."""
    return len(text) <= limit and text.isascii() and text.isprintable()


def _cut(text: str, limit: int, joint: str = "\n") -> str:
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit - limit * 2 // 3
    note = f"[{len(text) - limit} characters left out]"
    return f"{text[:head]}{joint}{note}{joint}{text[len(text) - tail :]}"


def _cut_lines(text: str, limit: int) -> str:
    rows = text.split("\n")
    if len(rows) <= limit:
        return text
    head, tail = limit * 2 // 3, limit - limit * 2 // 3
    note = f"[{len(rows) - limit} lines left out]"
    return "\n".join([*rows[:head], note, *rows[len(rows) - tail :]])


def _thin_marks(text: str) -> str:
    """Cap stacks of combining marks, which paint over the neighbouring lines."""
    if text.isascii():
        return text
    kept: list[str] = []
    run = 0
    for char in text:
        run = run + 1 if unicodedata.combining(char) else 0
        if run <= MARKS_IN_A_ROW:
            kept.append(char)
        elif run == MARKS_IN_A_ROW + 1:
            kept.append("<marks>")
    return "".join(kept)
