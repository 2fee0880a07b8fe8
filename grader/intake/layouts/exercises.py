"""A folder for each exercise, with everybody's files in it."""

from __future__ import annotations

import dataclasses

from grader.intake import archive, names
from grader.intake.handin import Context, Handin
from grader.intake.layouts import flat, single
from grader.intake.layouts.base import Layout, Split
from grader.intake.tree import Entry, Tree
from grader.intake.words import listed


def looks_like(tree: Tree, context: Context) -> bool:
    """Every top folder is called like an exercise, and one holds several people's."""
    groups = tree.groups()
    if not groups or tree.root_files():
        return False
    if not all(single.is_named(folder, context) for folder in groups):
        return False
    return any(len(_people(tree, top, context)) > 1 for top in groups)


def split(tree: Tree, context: Context, depth: int) -> Split:
    """One hand-in for each name under which files lie in the exercises' folders."""
    found = Split()
    handins: dict[str, Handin] = {}
    for top in tree.groups():
        for entry in tree.below(top).entries:
            student = "" if entry.is_folder else _student(entry, context)
            whole = dataclasses.replace(entry, name=f"{top}/{entry.name}")
            if not student:
                found.loose.append(whole)
                continue
            handin = handins.setdefault(student, Handin(student, [], student, depth))
            handin.use_file_times = tree.kind != "zip"
            handin.entries.append(_called(entry, whole, top, context))
    found.handins = list(handins.values())
    people = listed(sorted(handins))
    found.notes.append(
        f"The folders are called like exercises, and what is in them is taken for "
        f"that of different students ({people}); --layout single makes it one hand-in."
    )
    return found


def _people(tree: Tree, top: str, context: Context) -> set[str]:
    """Whose files lie in the folder; nobody's when one names no person."""
    handed_in = [e for e in tree.below(top).entries if _is_handed_in(e, context)]
    people = {_student(entry, context) for entry in handed_in}
    return set() if "" in people else people


def _is_handed_in(entry: Entry, context: Context) -> bool:
    if entry.is_folder:
        return False
    return context.is_source(entry.name) or archive.is_archive(entry.name)


def _student(entry: Entry, context: Context) -> str:
    """The student whom a name inside an exercise's folder mentions, or nothing."""
    top, slash, _ = entry.name.partition("/")
    if not slash and not _is_handed_in(entry, context):
        return ""
    if slash:
        student = "" if single.is_named(top, context) else top
    else:
        student, _ = flat.student(entry, "", context)
    return "" if names.is_ordinary(student) else student


def _called(entry: Entry, whole: Entry, top: str, context: Context) -> Entry:
    """``masked_softmax/lee.py`` answers what its folder says."""
    inner = entry.name.partition("/")[2]
    if inner:  # masked_softmax/lee/main.py
        return dataclasses.replace(whole, name=f"{top}/{inner}")
    if archive.is_archive(entry.name):
        return whole
    hit = names.match_stem(top, context.code)
    ending = entry.name[len(names.stem(entry.name)) :].lower()
    alias = hit.exercises[0] + ending if hit else ""
    return dataclasses.replace(whole, alias=alias)


LAYOUT = Layout(
    "exercises",
    "folder per exercise",
    looks_like,
    split,
    "of the files; unknown in a zip",
)
