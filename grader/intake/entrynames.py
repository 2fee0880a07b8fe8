"""Names out of archives and file systems: bytes to text, and made relative.

An archive often does not say in which encoding its names are. Guessing each
name alone would read one of them wrongly, so all undeclared names of an archive
are judged together.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from grader.intake.words import show

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


def encoding_of(names: Iterable[bytes]) -> str:
    """The encoding of names that do not declare one: utf-8, gbk or cp437."""
    foreign = [n for n in names if not n.isascii()]
    try:
        for name in foreign:
            name.decode("utf-8")
    except UnicodeDecodeError:
        return "gbk" if all(looks_gbk(n) for n in foreign) else "cp437"
    return "utf-8"


def decode(raw: bytes, encoding: str) -> str:
    """``raw`` as text; whatever does not fit is read as CP437, which holds all."""
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        return raw.decode("gbk" if looks_gbk(raw) else "cp437")


def note_for(raw: bytes, encoding: str) -> str:
    """The sentence that owns up to a guessed encoding; empty for UTF-8."""
    if raw.isascii() or encoding == "utf-8":
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
    safe = "/".join(p.replace("\0", "") for p in parts if p != "..")
    if refused:
        refused = f"is refused: its whole name, {show(name)}, {refused}."
    return safe or "unnamed", refused, note
