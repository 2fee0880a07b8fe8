"""nbgrader's tree: ``submitted/<student>/<assignment>/<notebook>.ipynb``."""

from __future__ import annotations

import dataclasses
import datetime
import re

from grader.errors import IntakeError
from grader.intake.handin import Context, Handin
from grader.intake.layouts.base import Layout, Split, iso_time
from grader.intake.tree import Tree
from grader.intake.words import listed, show

_STEP = "submitted"
_TIMESTAMP = "timestamp.txt"


def looks_like(tree: Tree, context: Context) -> bool:
    """A folder ``submitted``, or nbgrader's time stamps where they belong."""
    if _STEP in tree.groups() or tree.label == _STEP:
        return any(e.name.count("/") >= 2 for e in tree.entries)
    return any(e.base == _TIMESTAMP and e.name.count("/") == 2 for e in tree.entries)


def split(tree: Tree, context: Context, depth: int) -> Split:
    """One hand-in for each student; assignments are told apart by their files."""
    found = Split()
    if _STEP in tree.groups():
        found.loose = [e for e in tree.root_files()]
        tree = tree.below(_STEP)
    found.loose += tree.root_files()
    for student, group in tree.groups().items():
        below = tree.below(student, group)
        handin = Handin(student, below.entries, student, depth)
        handin.use_file_times = tree.kind != "zip"
        _take_timestamps(handin)
        _number_assignments(handin)
        found.handins.append(handin)
    return found


def _take_timestamps(handin: Handin) -> None:
    """Time stamps belong to their assignments; they are nobody's answer."""
    for entry in [e for e in handin.entries if e.base == _TIMESTAMP]:
        handin.entries = [e for e in handin.entries if e is not entry]
        try:
            text = entry.read(1000).decode("utf-8", "replace")
        except IntakeError as e:
            handin.warnings.append(str(e))
            continue
        time = iso_time(text)
        if time:
            handin.stamps[entry.name.partition("/")[0]] = time
        else:
            handin.warnings.append(f"{show(entry.name)} holds no time.")


def _number_assignments(handin: Handin) -> None:
    """Where several assignments hold an exercise, the one handed in last counts."""
    times: dict[str, float] = {}
    for entry in handin.entries:
        top, slash, _ = entry.name.partition("/")
        if slash:
            times[top] = max(times.get(top, 0.0), entry.time or 0.0)
    for top, stamp in handin.stamps.items():
        times[top] = datetime.datetime.fromisoformat(stamp).timestamp()
    if len(times) < 2:
        return
    if not any(times.values()):
        handin.warnings.append(
            f"Nothing says when its assignments ({listed(sorted(times))}) were handed "
            "in; the last by name is taken for the newest."
        )
    ordered = sorted(times, key=lambda top: (times[top], _natural(top)))
    place = {top: number for number, top in enumerate(ordered, start=1)}
    handin.entries = [
        dataclasses.replace(e, order=place.get(e.name.partition("/")[0], 0))
        for e in handin.entries
    ]


def _natural(name: str) -> list[tuple[int, str]]:
    """A sort key by which ``hw10`` comes after ``hw9``."""
    return [
        (int(part), "") if part.isdecimal() else (0, part)
        for part in re.split(r"(\d{1,18})", name)
    ]


LAYOUT = Layout(
    "nbgrader",
    "nbgrader tree",
    looks_like,
    split,
    "from nbgrader's time stamps, else of the files",
)
