"""From a filled sentence back to its template, and on to another language.

A result holds ``shape (2, 3)``; the catalogue knows ``shape {0}``. Each template
is a pattern whose places take any text. The template with the most letters of
its own wins, so that ``{0}: {1}`` never takes what a better one would.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_OF_A_NAME = re.compile(r"\{0\}: [a-z]+")
_NAMED = re.compile(r"(\w+: )(.+)", re.DOTALL)  # ``encode_packed: argument 2``
_PLACE = re.compile(r"\{(\w+)\}")
_EXCEPTION = re.compile(r"[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit)\b:")
LONGEST = 600  # characters of a sentence that is looked at: patterns stay cheap
DEEPEST = 3  # values may be words with values themselves


class Templates:
    """All templates of a catalogue: message ids with places like ``{0}``."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = known
        ids = [i for i in known if _PLACE.search(i) and _is_telling(i)]
        self._ids = sorted(ids, key=_rank)
        # The text between places, cut once: most templates fall at a glance.
        self._pieces = {i: _PLACE.split(i)[::2] for i in ids}
        self._patterns: dict[str, re.Pattern[str]] = {}

    def translate(self, text: str, depth: int = 0) -> str:
        """``text`` by the best template; unchanged where none fits."""
        if len(text) > LONGEST or depth > DEEPEST or not _is_ours(text):
            return text
        for template in self._ids:
            if not _may_fit(self._pieces[template], text):
                continue
            found = self._pattern(template).fullmatch(text)
            if found:
                values = {
                    name[1:]: self._value(value, depth)
                    for name, value in found.groupdict().items()
                }
                return _fill(self._known[template], values)
        named = _NAMED.fullmatch(text)
        return named[1] + self._value(named[2], depth) if named else text

    def _value(self, value: str, depth: int) -> str:
        return self._known.get(value) or self.translate(value, depth + 1)

    def _pattern(self, template: str) -> re.Pattern[str]:
        if template not in self._patterns:
            self._patterns[template] = re.compile(pattern(template), re.DOTALL)
        return self._patterns[template]


def _is_ours(text: str) -> bool:
    """Words, and not those of an exception, which stay as Python wrote them."""
    return bool(re.search("[A-Za-z]", text)) and not _EXCEPTION.match(text)


def pattern(template: str) -> str:
    """The regular expression of a template; a place named twice is the same text."""
    out, at, seen = "", 0, set()
    for place in _PLACE.finditer(template):
        name = f"v{place[1]}"
        out += re.escape(template[at : place.start()])
        out += f"(?P={name})" if name in seen else f"(?P<{name}>.*?)"
        seen.add(name)
        at = place.end()
    return out + re.escape(template[at:])


def _fill(text: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda place: values.get(place[1], place[0]), text)


def _rank(template: str) -> tuple[bool, int]:
    """What is said of a whole name goes first (``{0}: got``), then the longest."""
    return not _OF_A_NAME.fullmatch(template), -_own_letters(template)


def _is_telling(template: str) -> bool:
    """Enough words of its own: with many places few letters fit everything."""
    return _own_letters(template) >= (2 if len(_PLACE.findall(template)) < 3 else 4)


def _own_letters(template: str) -> int:
    return sum(c.isalpha() for c in _PLACE.sub("", template))


def _may_fit(pieces: Sequence[str], text: str) -> bool:
    """Every piece between places stands in the text: cheap, before the pattern."""
    if not (text.startswith(pieces[0]) and text.endswith(pieces[-1])):
        return False
    return all(piece in text for piece in pieces)
