"""Moodle "Download all submissions", with a folder for each student or without."""

from __future__ import annotations

import dataclasses
import re

from grader.intake.handin import Context, Handin
from grader.intake.layouts.base import Layout, Split
from grader.intake.tree import Tree
from grader.intake.words import show

# In both forms the first marker counts: names of people have no underscore (they
# become spaces), names of files may imitate a marker.
_FOLDER = re.compile(
    r"^(?P<who>.*?)_(?P<id>\d+)_assignsubmission_(?P<kind>file|onlinetext)_?$"
)
_FILE = re.compile(
    r"^(?P<who>.*?)_(?P<id>\d+)_assignsubmission_(?P<kind>file|onlinetext)_(?P<file>.+)$"
)


def looks_like(tree: Tree, context: Context) -> bool:
    """Some name at the root carries Moodle's marker."""
    tops = {e.name.partition("/")[0] for e in tree.entries}
    return any(_FOLDER.match(t) or _FILE.match(t) for t in tops)


def split(tree: Tree, context: Context, depth: int) -> Split:
    """Group by participant number, which is the one in the grading worksheet."""
    found = Split()
    handins: dict[str, Handin] = {}
    for entry in tree.entries:
        top, slash, rest = entry.name.partition("/")
        in_folder = _FOLDER.match(top) if slash or entry.is_folder else None
        parsed = in_folder or _FILE.match(top)
        if parsed is None:
            found.loose.append(entry)
            continue
        if not in_folder:
            rest = parsed["file"] + (f"/{rest}" if slash else "")
        handin = _handin(parsed["who"], parsed["id"], handins, depth)
        if rest:
            handin.entries.append(dataclasses.replace(entry, name=rest))
        if parsed["kind"] == "onlinetext":
            handin.warnings.append(
                f"{show(rest or 'the online text')} was typed into Moodle; only files "
                "are graded."
            )
    found.handins = list(handins.values())
    return found


def _handin(who: str, number: str, handins: dict[str, Handin], depth: int) -> Handin:
    person = who.replace("_", " ").strip() or "Participant"
    # Blind marking gives "Participant", which names nobody without its number.
    name = f"{person} {number}" if person.lower() == "participant" else person
    ids = {"moodle": number}
    return handins.setdefault(
        number, Handin(f"{person}-{number}", [], name, depth, ids=ids)
    )


LAYOUT = Layout("moodle", "Moodle download", looks_like, split, "unknown")
