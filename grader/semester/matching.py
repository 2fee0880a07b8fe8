"""Who is meant: people found by LMS ids, addresses, ids and names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping

from grader.exports.match import Matcher, plain_id, plain_name, plain_names

ID_KINDS = ("canvas", "moodle", "gradescope", "sid", "login")
KINDS = (*ID_KINDS, "address", "id", "name")
NEAREST = 3


def keys(
    who: str, name: str, email: str, ids: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """What somebody can be found by, the surest first."""
    for kind in ID_KINDS:
        yield kind, plain_id(ids.get(kind, ""))
    yield "address", plain_id(email)
    yield "id", plain_id(who)
    # A login or a student number often is the id elsewhere, and the other way round.
    for kind in ("login", "sid"):
        yield kind, plain_id(who)
        yield "id", plain_id(ids.get(kind, ""))
    yield "name", plain_name(name)


class People:
    """Finds one of several people; equal keys of two people find neither."""

    def __init__(self) -> None:
        self._matcher = Matcher(KINDS)
        self._names: list[str] = []

    def add(self, who: str, name: str, email: str, ids: Mapping[str, str]) -> None:
        """Know one more person; their number is the count of those before."""
        number = len(self._names)
        self._names.append(f"{who} ({name})" if name and name != who else who)
        for kind in ID_KINDS:
            self._matcher.add(kind, plain_id(ids.get(kind, "")), number)
        self._matcher.add("address", plain_id(email), number)
        self._matcher.add("id", plain_id(who), number)
        for spelling in spellings(name):
            self._matcher.add("name", spelling, number)

    def find(self, wanted: Iterable[tuple[str, str]]) -> int | None:
        """The number of the one person who has one of these keys."""
        return self._matcher.find(wanted)[0]

    def nearest(self, text: str) -> str:
        """The people whose ids or names are near to ``text``, for a message."""
        plain = {plain_name(n): n for n in self._names}
        near = difflib.get_close_matches(
            plain_name(text), list(plain), n=NEAREST, cutoff=0.4
        )
        return ", ".join(plain[n] for n in near)


def spellings(name: str) -> set[str]:
    """A name as its letters, also with the family name first."""
    found = plain_names(name)
    words = name.split()
    if "," not in name and len(words) > 1:
        found.add(plain_name(words[-1] + "".join(words[:-1])))
    return found


def nearest_of(text: str, known: Iterable[str]) -> str:
    """``; did you mean: a, b?`` or nothing, to end a message with."""
    near = difflib.get_close_matches(text, list(known), n=NEAREST, cutoff=0.5)
    return f"; did you mean: {', '.join(near)}?" if near else "."
