"""Names out of archives and file systems: bytes to text, and made relative.

An archive often does not say in which encoding its names are. A name that is
UTF-8 is read as UTF-8, for others hardly ever look like it (archives of a class
are packed on many machines); the rest is judged together, because guessing each
of them alone would read one wrongly.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from grader.intake.words import show

_JOINED = re.compile(rb"[A-Za-z][\x80-\xff]|[\x80-\xff][A-Za-z]")
# Letters, of which no disk takes more. Longer names are good for nothing but to
# keep those busy who look for words in them.
_LONGEST_PART, _LONGEST_PATH = 255, 4096
_DRIVE = re.compile(r"[A-Za-z]:")


def looks_gbk(raw: bytes) -> bool:
    """True when ``raw`` decodes as GBK and reads like Chinese.

    Nearly any bytes decode as GBK; common Chinese lies in the GB2312 part of
    it, where both bytes are high, and accented Latin letters do not.
    """
    try:
        text = raw.decode("gbk")
    except UnicodeDecodeError:
        return False
    foreign = [c for c in text if ord(c) > 127]
    common = sum(1 for c in foreign if _in_gb2312(c))
    return bool(foreign) and common >= 0.9 * len(foreign)


def _in_gb2312(char: str) -> bool:
    try:
        return len(char.encode("gb2312")) == 2
    except UnicodeEncodeError:
        return False


def is_utf8(raw: bytes, rest: str = "utf-8") -> bool:
    """True when ``raw`` is text in UTF-8, among names of which the rest is ``rest``.

    One in fifty names of two Chinese letters in GBK is by chance also UTF-8, of
    Latin, Greek or Cyrillic letters; such a one next to plain letters is a word.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if rest != "gbk" or not looks_gbk(raw) or max(text) > "\u07ff":
        return True
    return bool(_JOINED.search(raw))


def encoding_of(names: Iterable[bytes]) -> str:
    """The encoding of the names that are not UTF-8: gbk or cp437; utf-8 without any."""
    foreign = [n for n in names if not is_utf8(n)]
    if not foreign:
        return "utf-8"
    return "gbk" if all(looks_gbk(n) for n in foreign) else "cp437"


def decode(raw: bytes, encoding: str) -> str:
    """``raw`` as UTF-8, else in ``encoding``; CP437 holds whatever is left."""
    if is_utf8(raw, encoding):
        return raw.decode("utf-8")
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        return raw.decode("gbk" if looks_gbk(raw) else "cp437")


def note_for(raw: bytes, encoding: str) -> str:
    """The sentence that owns up to a guessed encoding; empty for UTF-8."""
    if is_utf8(raw, encoding):
        return ""
    name = encoding.upper()
    return f"File names in the archive are not UTF-8; they were read as {name}."


def from_os(name: str) -> tuple[str, str]:
    """A name of the file system as clean text, and a note when it was guessed."""
    try:
        name.encode("utf-8")
        return name, ""
    except UnicodeEncodeError:
        raw = os.fsencode(name)
    text = raw.decode("gbk") if looks_gbk(raw) else raw.decode("utf-8", "replace")
    return text, f"The file name {show(text)} is not UTF-8; it was guessed."


def relative(name: str) -> tuple[str, str, str]:
    """``name`` of an archive as (safe relative name, why refused, note).

    A refused name is made relative all the same, so that the refusal is shown
    on the row of the student to whom the entry belongs.
    """
    note = ""
    plain = name
    if "\\" in plain:
        plain = plain.replace("\\", "/")
        note = f"{show(name)} has backslashes in its name; they were read as slashes."
    parts = [p for p in plain.split("/") if p not in ("", ".")]
    refused = ""
    if "\0" in plain:
        refused = "has a null byte in it"
    elif plain.startswith("/") or _DRIVE.match(plain):
        refused = "is absolute"
    elif ".." in parts:
        refused = "points out of its folder"
    elif len(plain) > _LONGEST_PATH or any(len(p) > _LONGEST_PART for p in parts):
        refused = "is longer than any that a disk takes"
    kept = [p.replace("\0", "")[:_LONGEST_PART] for p in parts if p != ".."]
    safe = "/".join(kept)[:_LONGEST_PATH].strip("/")
    if refused:
        refused = f"is refused: its whole name, {show(name)}, {refused}."
    return safe or "unnamed", refused, note
