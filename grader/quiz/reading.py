"""A student's answer sheet as plain data: lines ``id = answer``, nothing executed.

The sheet is a flat TOML file, but no TOML parser reads it: one broken line must
cost one question and not the quiz, and hostile text must cost no time. Each line
is looked at once.
"""

from __future__ import annotations

import re
import unicodedata

import msgspec

MOST_BYTES = 64 * 1024
MOST_LINE = 2_000
MOST_LIST_LINES = 40  # lines that one list may run over
_START = re.compile(
    r"""\s*(?P<mark>["']?)(?P<id>[\w.-]{1,80})(?P=mark)\s*=(?P<rest>.*)"""
)
_QUOTES = "\"'`“”‘’"
_SEPARATOR = re.compile(r"[\s,，、;；]+")
_NUMBER = re.compile(
    r"[-+]?(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?", re.IGNORECASE
)


class Entry(msgspec.Struct, frozen=True):
    """One answer as written: its words without quotes, brackets and commas.

    ``broken`` is a sentence where the line's form itself is wrong.
    """

    line: int
    words: tuple[str, ...]
    broken: str = ""


class Sheet(msgspec.Struct, frozen=True):
    """All answers by id, in order; ``strays`` are lines that are no answer."""

    entries: dict[str, tuple[Entry, ...]]
    strays: tuple[int, ...] = ()


def read_sheet(text: str) -> Sheet:
    """Read what a student wrote; whatever it is, this does not raise."""
    entries: dict[str, list[Entry]] = {}
    strays: list[int] = []
    lines = _plain(text[:MOST_BYTES]).split("\n")
    at = 0
    while at < len(lines):
        line = _without_comment(lines[at])
        start = _START.fullmatch(line)
        if start is None:
            if line.strip():
                strays.append(at + 1)
            at += 1
            continue
        value, end = _value(start["rest"], lines, at)
        entries.setdefault(start["id"], []).append(_entry(at + 1, value))
        at = end
    return Sheet({k: tuple(v) for k, v in entries.items()}, tuple(strays))


def is_blank(text: str) -> bool:
    """True for a sheet in which nothing is answered."""
    sheet = read_sheet(text)
    return not any(e.words or e.broken for es in sheet.entries.values() for e in es)


def number(word: str) -> float | None:
    """``word`` as a finite number; None when it is none."""
    if not _NUMBER.fullmatch(word):
        return None
    value = float(word.replace("_", ""))
    return value if abs(value) < 1e300 else None


def _plain(text: str) -> str:
    """Full-width letters, digits and signs as the ordinary ones; lines cut."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    text = unicodedata.normalize("NFKC", text).replace("\u2212", "-")
    return "\n".join(line[:MOST_LINE] for line in text.split("\n"))


def _without_comment(line: str) -> str:
    """The line up to a # that stands outside of quotes."""
    quote = ""
    for at, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == "#":
            return line[:at]
    return line


def _value(rest: str, lines: list[str], at: int) -> tuple[str, int]:
    """The text after ``=`` and the index of the next line to read.

    A list may run over several lines, up to its bracket or the next answer.
    """
    value, end = rest.strip(), at + 1
    if value.startswith("[") and "]" not in value:
        for end in range(at + 1, min(at + 1 + MOST_LIST_LINES, len(lines))):
            line = _without_comment(lines[end])
            if _START.fullmatch(line):
                return value, end
            value += " " + line.strip()
            if "]" in line:
                return value, end + 1
    return value, end


def _entry(line: int, value: str) -> Entry:
    broken = ""
    if value.startswith("[") != value.endswith("]") or value.count("[") > 1:
        broken = "its square brackets do not match"
    bare = value.strip("[]")
    for quote in _QUOTES:
        bare = bare.replace(quote, " ")
    words = tuple(w for w in _SEPARATOR.split(bare) if w)
    if any(letter in word for word in words for letter in "[]{}="):
        broken = broken or "it is no letter, list of letters or number"
    return Entry(line, words[:50], broken)
