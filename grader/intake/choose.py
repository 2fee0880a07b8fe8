"""Which file of a hand-in answers which exercise, when names leave a choice."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from grader.intake import names
from grader.intake.handin import Context
from grader.intake.tree import Entry
from grader.intake.words import show
from grader.submission import Source

_TEST_WORD = re.compile(r"(?:^|[\W_])(?:test|tests|check|checks)(?:$|[\W_])", re.I)


@dataclass(frozen=True)
class Candidate:
    """A file that may answer ``exercise``; ``level`` says how it was found."""

    entry: Entry
    exercise: str
    level: int

    @property
    def rank(self) -> tuple[bool, int, int, int, bool, float, str]:
        """Sort key, best first.

        Where the layout numbers hand-ins, the newest counts among the names
        that differ by a copy mark only; elsewhere the best name does, then the
        shallowest, a .py before a notebook, the newest.
        """
        name = self.entry.name
        return (
            self.level > names.COPY,
            -self.entry.order,
            self.level,
            name.count("/"),
            not name.lower().endswith(".py"),
            -(self.entry.time or 0.0),
            name,
        )


@dataclass
class Choice:
    """All candidates by exercise, best first, and what stayed without one."""

    by_exercise: dict[str, list[Candidate]]
    ambiguous: list[str]
    left: list[Entry]


def by_name(entries: Iterable[Entry], context: Context) -> Choice:
    """Judge every file by its name, and by its folder's when that says nothing."""
    found: dict[str, list[Candidate]] = defaultdict(list)
    ambiguous, left = [], []
    for entry in entries:
        hit = context.match(entry.called)
        if hit and hit.level == names.PART and _TEST_WORD.search(hit.rest):
            hit = None
        if hit is None:
            left.append(entry)
        elif len(hit.exercises) > 1:
            meant = " or ".join(hit.exercises)
            ambiguous.append(f"{show(entry.name)} could be {meant}; rename it.")
            left.append(entry)
        else:
            exercise = hit.exercises[0]
            found[exercise].append(Candidate(entry, exercise, hit.level))
    choice = Choice(dict(found), ambiguous, left)
    _by_folder(choice, context)
    for candidates in choice.by_exercise.values():
        candidates.sort(key=lambda c: c.rank)
    return choice


def _by_folder(choice: Choice, context: Context) -> None:
    """``masked_softmax/main.py``: the only file of a folder takes its name."""
    folders: dict[str, list[Entry]] = defaultdict(list)
    for entry in choice.left:
        if names.is_sheet(entry.name):
            continue
        folders[entry.name.rpartition("/")[0]].append(entry)
    for folder, inside in folders.items():
        bare = names.stem(folder)
        hit = names.match_stem(bare, context.code) if bare else None
        if len(inside) != 1 or hit is None or hit.level > names.COPY:
            continue
        exercise = hit.exercises[0]
        if exercise not in choice.by_exercise:
            choice.by_exercise[exercise] = [
                Candidate(inside[0], exercise, names.FOLDER)
            ]
            choice.left.remove(inside[0])


def defines(source: Source, exercise: str, context: Context) -> int:
    """How many of the names that ``exercise`` asks for the source defines.

    By text, not by syntax tree: a hostile file must not hurt, and a file with a
    syntax error is still the one that was meant.
    """
    text = source.text or "\n".join(source.cells)
    asked = context.asks.get(exercise) or (exercise,)
    pattern = r"^(?:async[ \t]+)?(?:def|class)[ \t]+{}\b"
    return sum(
        bool(re.search(pattern.format(re.escape(a)), text, re.MULTILINE)) for a in asked
    )


def reason(best: Candidate, other: Candidate) -> str:
    """Why ``best`` and not ``other``, in words."""
    if best.entry.order != other.entry.order and other.level <= names.COPY:
        return "it is the newest"
    if best.level != other.level:
        return "its name fits better"
    if best.entry.name.count("/") != other.entry.name.count("/"):
        return "it lies in the outer folder"
    if best.rank[4] != other.rank[4]:
        return "a .py file goes before a notebook"
    if best.entry.time != other.entry.time:
        return "it is the newest"
    return "it comes first by name"
