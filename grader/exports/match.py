"""Which row of an LMS file belongs to whom."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence

from grader.gradebook import Person

NEAR_ENOUGH = 0.6
GUARDED = re.compile(r'^="(.*)"$')  # how Canvas writes names that start with "="


def plain_name(text: str) -> str:
    """A name reduced to its letters: "Smith, Ann-Lee" is "smithannlee"."""
    guarded = GUARDED.match(text)
    text = unicodedata.normalize("NFKC", guarded[1] if guarded else text)
    return re.sub(r"[\W_]+", "", text.casefold())


def plain_names(text: str) -> set[str]:
    """``plain_name`` of "Family, Given" and of "Given Family"."""
    family, comma, given = text.partition(",")
    return {plain_name(text)} | ({plain_name(given + family)} if comma else set())


def same_name(one: str, other: str) -> bool:
    """True when both may be one person's name: in another order, with more parts.

    A name that went through a file system with another encoding is still near.
    """
    if plain_names(one) & plain_names(other):
        return True
    first, second = _words(one), _words(other)
    if first and second and (first <= second or second <= first):
        return True
    near = difflib.SequenceMatcher(None, plain_name(one), plain_name(other)).ratio()
    return near >= NEAR_ENOUGH


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))


def plain_id(text: str) -> str:
    """An id or address without what spreadsheets do to it."""
    return text.strip().casefold()


def members(who: Person) -> list[Person]:
    """The people behind a submission: itself, then everybody of its group."""
    if who.mates:  # the roster knows them
        return [*who.mates]
    found = [who]
    for member in who.group:
        email = member if "@" in member else ""
        if member not in (who.name, who.email, who.id):
            found.append(Person(member, name=member, email=email))
    return found


class Matcher:
    """Rows under several kinds of keys, the surest kind first."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._rows: dict[str, dict[str, set[int]]] = {kind: {} for kind in kinds}

    def add(self, kind: str, key: str, row: int) -> None:
        """``row`` has ``key``; an empty key is none."""
        if key:
            self._rows[kind].setdefault(key, set()).add(row)

    def has(self, kind: str, key: str) -> bool:
        """True when some row has ``key``."""
        return key in self._rows[kind]

    def find(self, wanted: Iterable[tuple[str, str]]) -> tuple[int | None, str]:
        """(row, "") for the first key that one row alone has; else (None, why)."""
        why = "no such row"
        for kind, key in wanted:
            rows = self._rows[kind].get(key, set()) if key else set()
            if len(rows) == 1:
                return next(iter(rows)), ""
            if rows:
                why = f"{len(rows)} rows have the same {kind}"
        return None, why
