"""The reviewed list: mutants that no input tells from the solution, and why.

They are right answers, so each list lies beside the exercise's variants.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

from grader.errors import CourseError
from grader.mutants.make import Mutant

FILE = "equivalent.toml"


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """One reviewed mutant: the change as it was seen, and why it changes nothing."""

    was: str
    becomes: str
    reason: str


def read(folder: Path) -> dict[str, Entry]:
    """The list in ``folder``, by digest; empty where there is none.

    Raises:
        CourseError: it is no such list, or a reason is missing.
    """
    path = folder / FILE
    if not path.exists():
        return {}
    try:
        text = path.read_text(encoding="utf-8")
        found = msgspec.convert(tomllib.loads(text), dict[str, Entry])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as e:
        raise CourseError(f"{path}: {e}.") from e
    for digest, entry in found.items():
        if not entry.reason.strip():
            raise CourseError(f"{path}: {digest} gives no reason.")
    return found


def stale(entries: dict[str, Entry], mutants: list[Mutant]) -> list[str]:
    """Digests in the list that fit no mutant of the solution any more."""
    known = {m.digest: (m.was, m.becomes) for m in mutants}
    return [d for d, e in entries.items() if known.get(d) != (e.was, e.becomes)]


def as_entry(mutant: Mutant) -> str:
    """What to paste into the list, less the reason."""
    lines = [f"[{mutant.digest}]"]
    lines += [f"{k} = {_quoted(getattr(mutant, k))}" for k in ("was", "becomes")]
    return "\n".join([*lines, 'reason = ""'])


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()
