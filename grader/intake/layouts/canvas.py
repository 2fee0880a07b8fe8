"""Canvas "Download Submissions": ``smithann_LATE_4017_99231_file.py`` at the root."""

from __future__ import annotations

import dataclasses
import re

from grader.intake import archive
from grader.intake.handin import Context, Handin
from grader.intake.layouts.base import Layout, Split
from grader.intake.tree import Tree
from grader.intake.words import show

# Read from the left: a file name may hold anything, numbers between underscores
# too, a person's name may not. The anonymous form comes first.
_ANONYMOUS = re.compile(
    r"^(?P<late>LATE_)?anon_(?P<anon>[^_]+)_(?P<att>\d+)_(?P<file>.+)$",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"^(?P<who>.+?)(?P<late>_LATE)?_(?P<uid>\d+)_(?P<att>\d+)_(?P<file>.+)$",
    re.IGNORECASE,
)
_TYPED = re.compile(
    r"^(?:(?P<early>LATE_)?anon_(?P<anon>[^_]+)|"
    r"(?P<who>.+?)(?P<late>_LATE)?_(?P<uid>\d+))"
    r"_(?P<file>(?:text|link)\.html)$",
    re.IGNORECASE,
)


def looks_like(tree: Tree, context: Context) -> bool:
    """Most of what is at the root has the form; a stray file or folder does not."""
    files = tree.root_files()
    hits = [m for e in files if (m := _parse(e.name))]
    useful = [m for m in hits if _useful(m["file"], context)]
    return bool(useful) and 2 * len(hits) > len(files) + len(tree.groups())


def _useful(name: str, context: Context) -> bool:
    if archive.is_archive(name) or name.endswith(".html"):
        return True
    return context.is_source(name)


def split(tree: Tree, context: Context, depth: int) -> Split:
    """Group by user id: one student with several files has several entries."""
    found = Split()
    handins: dict[str, Handin] = {}
    for entry in tree.entries:
        parsed = _parse(entry.name)
        if parsed is None:
            found.loose.append(entry)
            continue
        fields = parsed.groupdict()
        handin = _handin(fields, handins, depth)
        marked = fields.get("late") or fields.get("early")
        handin.late = bool(handin.late or marked)
        order = int((fields.get("att") or "0")[:18])
        if "canvas" in handin.ids and order:
            # Feedback goes back under the number of a file that was handed in.
            newest = max(order, int(handin.ids.get("canvas_file", 0)))
            handin.ids["canvas_file"] = str(newest)
        handin.entries.append(
            dataclasses.replace(entry, name=fields["file"], order=order)
        )
        _warn_of_typed(handin, fields["file"])
    found.handins = list(handins.values())
    return found


def _parse(name: str) -> re.Match[str] | None:
    if "/" in name:
        return None
    return _ANONYMOUS.match(name) or _NAMED.match(name) or _TYPED.match(name)


def _handin(fields: dict[str, str], handins: dict[str, Handin], depth: int) -> Handin:
    anonymous = fields.get("anon")
    if anonymous:
        key, name = f"anon-{anonymous}", f"anonymous {anonymous}"
        ids = {"canvas_anonymous": anonymous}
    else:
        key, name = f"{fields['who']}-{fields['uid']}", fields["who"]
        ids = {"canvas": fields["uid"]}
    return handins.setdefault(key, Handin(key, [], name, depth, ids=ids))


def _warn_of_typed(handin: Handin, file: str) -> None:
    kind = {"text.html": "text typed into Canvas", "link.html": "a web link"}.get(
        file.lower()
    )
    if kind:
        handin.warnings.append(f"{show(file)} is {kind}; only files are graded.")


LAYOUT = Layout(
    "canvas", "Canvas download", looks_like, split, "known late or not, but not when"
)
