"""A flat folder: ``lee_masked_softmax.py``, ``lee.zip`` or ``lee.ipynb`` each."""

from __future__ import annotations

import dataclasses

from grader.intake import archive, names
from grader.intake.handin import Context, Handin
from grader.intake.layouts.base import Layout, Split
from grader.intake.tree import Entry, Tree


def looks_like(tree: Tree, context: Context) -> bool:
    """Sources or archives at the root."""
    return any(_is_handin(e, context) for e in tree.root_files())


def split(tree: Tree, context: Context, depth: int) -> Split:
    """Group the root's files by the student whom their names mention."""
    found = Split(loose=[e for e in tree.entries if "/" in e.name])
    handins: dict[str, Handin] = {}
    for entry in tree.root_files():
        if not _is_handin(entry, context) or _is_test(entry, context):
            found.loose.append(entry)
            continue
        who, entry = student(entry, tree.label, context)
        handin = handins.setdefault(who, Handin(who, [], who, depth))
        handin.entries.append(entry)
        handin.use_file_times = tree.kind != "zip"
    found.handins = list(handins.values())
    return found


def _is_handin(entry: Entry, context: Context) -> bool:
    return context.is_source(entry.name) or archive.is_archive(entry.name)


def _is_test(entry: Entry, context: Context) -> bool:
    """``test_masked_softmax.py`` between the files of a class is no student's."""
    hit = context.match(entry.name) if context.is_source(entry.name) else None
    return hit is not None and hit.level == names.PART and names.is_test(hit.rest)


def student(entry: Entry, label: str, context: Context) -> tuple[str, Entry]:
    """Whose file it is. A file called like an exercise belongs to the folder."""
    if archive.is_archive(entry.name):
        stem, ending = archive.stem(entry.name), ""
    else:
        stem = names.stem(entry.name)
        ending = entry.name[len(stem) :]
    sheet = bool(ending) and names.is_sheet(entry.name)
    hit = names.match_stem(stem, context.quizzes if sheet else context.code)
    if hit is None:
        return stem, entry
    if hit.level != names.PART:
        return label, entry
    if len(hit.exercises) > 1:
        return stem, entry
    if ending:
        entry = dataclasses.replace(entry, alias=hit.exercises[0] + ending.lower())
    return hit.rest, entry


LAYOUT = Layout(
    "flat", "flat folder", looks_like, split, "of the files, unknown in a zip"
)
