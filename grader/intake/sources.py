"""Bytes of one file -> ``Source``: encodings, line ends, null bytes, notebooks.

What is decoded here is what runs and what is shown: an encoding line that
would make the two differ has no effect later.
"""

from __future__ import annotations

import codecs
import hashlib
import re

from grader.errors import IntakeError
from grader.intake import notebooks
from grader.intake.entrynames import looks_gbk
from grader.intake.limits import Limits
from grader.intake.tree import too_big
from grader.intake.words import clean, count, show
from grader.quiz.reading import MOST_BYTES
from grader.submission import Source

_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
# Plain text encodings only: utf-7, idna, unicode_escape and their kind can hide
# what a line does, and rot13 or zlib are no encodings of text at all.
_ALLOWED = frozenset(
    codecs.lookup(name).name
    for name in "utf-8 utf-8-sig ascii latin-1 iso8859-15 cp1252 gbk gb2312 gb18030 "
    "big5 shift_jis euc_jp euc_kr cp949 cp1251 koi8-r cp1250 iso8859-2".split()
)
_BOMS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16: its mark begins alike
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_NOT_PYTHON = {
    b"PK\x03\x04": "a zip archive",
    b"%PDF": "a PDF",
    b"{\\rtf": "an RTF document",
    b"<!DOCTYPE": "a web page",
    b"<!doctype": "a web page",
    b"<html": "a web page",
    b"\x7fELF": "a program",
    b"\x1f\x8b": "a gzip archive",
    b"\xd0\xcf\x11\xe0": "an old Office document",
}
_ADVICE = "Save it again as UTF-8"


def to_source(
    exercise: str, path: str, data: bytes, limits: Limits
) -> tuple[Source, list[str]]:
    """The source of one file, and a sentence for every guess.

    Raises:
        IntakeError: it cannot be graded; the sentence says what to do.
    """
    name = show(path)
    if not data.strip():
        size = count(len(data), "byte")
        raise IntakeError(f"{name} is empty ({size}); hand in the one with answers.")
    for magic, what in _NOT_PYTHON.items():
        if data.startswith(magic):
            raise IntakeError(f"{name} is {what}, not Python; hand in the .py file.")
    text, warnings = decode(data, path)
    if path.lower().endswith(".ipynb") or _holds_notebook(text):
        if not path.lower().endswith(".ipynb"):
            warnings.append(f"{name} holds a notebook; it is read as one.")
        cells, more = notebooks.code_cells(text, path, limits)
        digest = ""
        if len(data) > limits.kept_notebook_bytes:
            digest, data = hashlib.sha256(data).hexdigest(), b""
        source = Source(exercise, path, data, "ipynb", "", cells, handed_in=digest)
        return source, warnings + more
    if len(data) > limits.source_bytes:
        raise IntakeError(f"{name} {too_big(len(data), limits.source_bytes)}")
    return Source(exercise, path, data, "py", text), warnings


def to_sheet(exercise: str, path: str, data: bytes) -> tuple[Source, list[str]]:
    """The answer sheet of a quiz, and a sentence for every guess.

    Raises:
        IntakeError: it cannot be marked; the sentence says what to do.
    """
    name = show(path)
    if not data.strip():
        size = count(len(data), "byte")
        raise IntakeError(f"{name} is empty ({size}); hand in the one with answers.")
    for magic, what in _NOT_PYTHON.items():
        if data.startswith(magic):
            raise IntakeError(
                f"{name} is {what}, not an answer sheet; hand in {exercise}.toml."
            )
    if len(data) > MOST_BYTES:
        raise IntakeError(f"{name} {too_big(len(data), MOST_BYTES)}")
    text, warnings = decode(data, path)
    return Source(exercise, path, data, "sheet", text), warnings


def decode(data: bytes, path: str) -> tuple[str, list[str]]:
    """The text of a source file with plain line ends, and what was guessed.

    Order: byte order mark, encoding line (PEP 263), UTF-8, then GBK where the
    bytes read like Chinese.

    Raises:
        IntakeError: no encoding fits, or there is a null byte.
    """
    codec, warnings = _codec(data, path)
    if codec not in ("utf-16", "utf-32"):
        _refuse_null(data, path)
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as e:
        raise IntakeError(_cannot_decode(data, e, path, codec)) from e
    if "\0" in text:
        raise IntakeError(f"{show(path)} holds null characters. {_ADVICE}.")
    return clean(text).replace("\r\n", "\n").replace("\r", "\n"), warnings


def _codec(data: bytes, path: str) -> tuple[str, list[str]]:
    """The name of the codec, and the sentence for a guess."""
    for bom, codec in _BOMS.items():
        if data.startswith(bom):
            if codec == "utf-8-sig":
                return codec, []
            return codec, [f"{show(path)} is {codec.upper()}. {_ADVICE}."]
    declared = _declared(data, path)
    if declared is None and not _is_utf8(data) and _reads_like_gbk(data):
        guess = f"{show(path)} is not UTF-8; it was read as GBK. {_ADVICE}, or put "
        return "gb18030", [guess + "the line '# coding: gbk' first."]
    return declared or "utf-8", []


def _declared(data: bytes, path: str) -> str | None:
    """The codec of the encoding line, None when there is no such line."""
    for line in data[:4096].splitlines()[:2]:
        found = _CODING.match(line)
        if found:
            name = found[1].decode("ascii", "replace")
            try:
                codec = codecs.lookup(name).name
            except LookupError:
                codec = ""
            if codec not in _ALLOWED:
                raise IntakeError(
                    f"{show(path)} declares the encoding {show(name)!r}, which is not "
                    f"read. {_ADVICE} and remove that line."
                )
            # GBK and GB2312 lie inside GB18030; editors often declare too little.
            return "gb18030" if codec in ("gbk", "gb2312") else codec
        if not _BLANK.match(line):
            return None
    return None


def _refuse_null(data: bytes, path: str) -> None:
    at = data.find(b"\0")
    if at < 0:
        return
    if data.count(b"\0") > len(data) // 4:
        why = f"looks like UTF-16. {_ADVICE}."
    else:
        line = data.count(b"\n", 0, at) + 1
        why = (
            f"holds a null byte (byte {at}, line {line}); Python refuses such a file. "
            f"{_ADVICE}, or copy its text into a new file."
        )
    raise IntakeError(f"{show(path)} {why}")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _reads_like_gbk(data: bytes) -> bool:
    return looks_gbk(data) or looks_gbk(b"".join(re.findall(rb"[\x80-\xff]+", data)))


def _cannot_decode(
    data: bytes, error: UnicodeDecodeError, path: str, codec: str
) -> str:
    line = data.count(b"\n", 0, error.start) + 1
    shown = {"gb18030": "GBK"}.get(codec, codec.upper())
    return (
        f"{show(path)} is not {shown} (byte {error.start}, line {line}). {_ADVICE}, or "
        "declare its encoding in the first line."
    )


def _holds_notebook(text: str) -> bool:
    head = text[:4096].lstrip()
    return head.startswith("{") and '"cells"' in head
