"""Catalogues kept up to date with the sources that they belong to."""

from __future__ import annotations

import io
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from grader.course import Course
from grader.lang.catalogue import po_path
from grader.lang.extract import Found, course_words


def updated(path: Path, found: Found, language: str) -> tuple[str, list[str]]:
    """The text of the catalogue at ``path`` with the messages ``found``.

    Returns:
        The text, and a line for each message that is new, gone or not translated.
    """
    old = Catalog(locale=language)
    if path.exists():
        with path.open("rb") as file:
            old = read_po(file, locale=language)
    new = Catalog(locale=language, fuzzy=False, header_comment=f"# {language}")
    told = []
    for message, where in found.items():
        known = old.get(message)
        string = known.string if known else ""
        if isinstance(message, tuple) and isinstance(string, str):
            string = (string,)
        new.add(message, string, auto_comments=[where])
        if not known:
            told.append(f"new: {message}")
        elif not (string if isinstance(string, str) else all(string or [""])):
            told.append(f"not translated: {message}")
    told += [f"gone: {m.id}" for m in old if m.id and m.id not in found]
    out = io.BytesIO()
    write_po(out, new, width=0, omit_header=False, sort_output=True)
    return _without_dates(out.getvalue().decode("utf-8")), told


def _without_dates(text: str) -> str:
    """No line that changes with every run."""
    dated = ('"POT-Creation-Date', '"PO-Revision-Date', '"Generated-By')
    return "".join(x for x in text.splitlines(True) if not x.startswith(dated))


def student_catalogue(course: Course, language: str) -> bytes:
    """The course's catalogue for students: nothing that only hidden checks say.

    Empty where the course has none.
    """
    path = po_path(course.folder("locale"), language)
    if not path.exists():
        return b""
    text, _ = updated(path, course_words(course, public_only=True), language)
    return text.encode("utf-8")
