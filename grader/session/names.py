"""Names that a hand-in offers, and which of them stand in for those asked for."""

from __future__ import annotations

import difflib
from collections.abc import Container, Sequence
from typing import Any

NAME_CUTOFF = 0.75
# What a worker may claim at most: comparing names takes time.
MAX_NAMES, MAX_NAME = 200, 100


def claimed(value: Any) -> list[str]:
    """The names in what a worker says that it offers; it may say anything."""
    said = value[:MAX_NAMES] if isinstance(value, list) else []
    return [n for n in said if isinstance(n, str) and _is_name(n)]


def near(
    asked: Sequence[str], offered: Sequence[str], known: Container[str]
) -> dict[str, str]:
    """For each name that is missing, the one name that is meant, if there is one.

    Args:
        asked: names that the exercise asks for.
        offered: names that are there.
        known: of ``asked``, those that something stands in for already.
    """
    spare = [n for n in offered if n not in asked]
    missing = [a for a in asked if a not in offered and a not in known]
    found = {name: _nearest(name, spare) for name in missing}
    return {name: meant for name, meant in found.items() if meant is not None}


def _is_name(text: str) -> bool:
    return len(text) <= MAX_NAME and text.isidentifier()


def _nearest(asked: str, names: list[str]) -> str | None:
    """The one near name among ``names``; None when there is none or a tie."""

    def key(name: str) -> str:
        return name.replace("_", "").lower()

    same = [n for n in names if key(n) == key(asked)]
    if len(same) == 1:
        return same[0]
    near = difflib.get_close_matches(asked, names, n=2, cutoff=NAME_CUTOFF)
    return near[0] if len(near) == 1 else None
