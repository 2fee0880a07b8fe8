"""nbgrader's tree: ``submitted/<student>/<assignment>/<notebook>.ipynb``."""

from __future__ import annotations

from grader.errors import IntakeError
from grader.intake.handin import Context, Handin
from grader.intake.layouts.base import Layout, Split, iso_time
from grader.intake.tree import Tree

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
        found.handins.append(handin)
    return found


def _take_timestamps(handin: Handin) -> None:
    """Use the newest time stamp; the files that hold them are nobody's answer."""
    times = []
    for entry in [e for e in handin.entries if e.base == _TIMESTAMP]:
        handin.entries = [e for e in handin.entries if e is not entry]
        try:
            text = entry.read(1000).decode("utf-8", "replace")
        except IntakeError as e:
            handin.warnings.append(str(e))
            continue
        time = iso_time(text)
        if time:
            times.append(time)
        else:
            handin.warnings.append(f"{entry.name} holds no time.")
    if times:
        handin.submitted_at = max(times)
        handin.time_source = "nbgrader's time stamp"


LAYOUT = Layout(
    "nbgrader",
    "nbgrader tree",
    looks_like,
    split,
    "from nbgrader's time stamps, else of the files",
)
