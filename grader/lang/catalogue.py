"""Catalogues: .po files read through Babel, with no step of building before."""

from __future__ import annotations

import re
from pathlib import Path

from grader.course import Course
from grader.lang.pairs import course_pairs
from grader.lang.templates import Templates

_BETWEEN = re.compile(r"(?<=[.?]) (?=[A-Z])")  # two sentences
DOMAIN = "LC_MESSAGES/messages.po"
OURS = Path(__file__).resolve().parents[1] / "locale"


class Words:
    """The words of one language: simple ones, counted ones, and templates."""

    def __init__(
        self,
        language: str,
        known: dict[str, str] | None = None,
        counted: dict[str, str] | None = None,
    ) -> None:
        self.language = language
        self._known = known or {}
        self._counted = counted or {}
        self._templates = Templates(self._known)

    def find(self, text: str) -> str:
        """``text`` in this language; itself where nothing better is known."""
        return self._known.get(text, text)

    def find_plural(self, one: str, many: str, n: int) -> str:
        """The form for ``n``. Chinese has one form for all numbers."""
        return self._counted.get(one) or (one if n == 1 else many)

    def sentence(self, text: str) -> str:
        """See ``current.sentence``."""
        if not text or not self._known:
            return text
        if text in self._known:
            return self._known[text]
        parts = _BETWEEN.split(text)
        said = [self._known.get(p) or self._templates.translate(p) for p in parts]
        if len(parts) > 1 and all(a != b for a, b in zip(parts, said, strict=True)):
            return "".join(said)
        return self._templates.translate(text)


ENGLISH = Words("en")


def load(language: str, course: Course | None = None) -> Words:
    """Our catalogue of ``language`` with the course's words added to it."""
    if language == "en":
        return ENGLISH
    known: dict[str, str] = {}
    counted: dict[str, str] = {}
    paths = [po_path(OURS, language)]
    if course is not None:
        known.update(course_pairs(course))
        paths.append(po_path(course.folder("locale"), language))
    for path in paths:
        if path.exists():
            _read(path, known, counted)
    return Words(language, known, counted)


def po_path(folder: Path, language: str) -> Path:
    """Where the catalogue of ``language`` lies below ``folder``."""
    return folder / language / DOMAIN


def _read(path: Path, known: dict[str, str], counted: dict[str, str]) -> None:
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        catalogue = read_po(file, charset="utf-8")
    for message in catalogue:
        if not message.id:
            continue
        if isinstance(message.id, str):
            known[message.id] = str(message.string) or message.id
        else:
            counted[message.id[0]] = str((message.string or [""])[0])
