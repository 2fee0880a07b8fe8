"""A folder for each student; archives and files between them count as well."""

from __future__ import annotations

import dataclasses

from grader.intake import archive, gittime
from grader.intake.handin import Context, Handin
from grader.intake.layouts import flat
from grader.intake.layouts.base import Layout, Split
from grader.intake.tree import JUNK_FOLDERS, Tree


def looks_like(tree: Tree, context: Context) -> bool:
    """At least one folder that is not a system's."""
    return any(top not in JUNK_FOLDERS for top in tree.groups())


def split(tree: Tree, context: Context, depth: int) -> Split:
    """One hand-in for each top folder, then the root's files like a flat folder."""
    rest = dataclasses.replace(tree, entries=tree.root_files())
    found = flat.split(rest, context, depth)
    for entry in list(found.loose):
        # A link or device where a student's folder should be is that student's row.
        if entry.refusal and "." not in entry.name:
            found.loose.remove(entry)
            found.handins.append(
                Handin(entry.name, name=entry.name, error=entry.refusal)
            )
    for top, entries in tree.groups().items():
        if top in JUNK_FOLDERS:
            found.loose += entries
            continue
        below = tree.below(top, entries)
        handin = Handin(top, below.entries, top, depth)
        handin.use_file_times = tree.kind != "zip"
        if below.folder:
            gittime.apply(handin, below.folder)
        found.handins.append(handin)
    return found


def looks_like_clones(tree: Tree, context: Context) -> bool:
    """Most of the top folders are git clones (on disk: nothing is unpacked)."""
    groups = [top for top in tree.groups() if top not in JUNK_FOLDERS]
    if tree.folder is None:
        return False
    clones = sum(1 for top in groups if (tree.folder / top / ".git").is_dir())
    return 0 < len(groups) <= 2 * clones


def holds_parts(tree: Tree, context: Context) -> bool:
    """True when the folders look like parts of one hand-in: no exercise twice."""
    seen: set[str] = set()
    for entries in tree.groups().values():
        found = set()
        for entry in entries:
            if archive.is_archive(entry.name):
                return False
            hit = context.match(entry.name)
            if hit and context.is_source(entry.name):
                found |= set(hit.exercises)
        if found & seen:
            return False
        seen |= found
    return bool(seen)


LAYOUT = Layout(
    "folders",
    "folder per student",
    looks_like,
    split,
    "of the last commit, else of the files; unknown in a zip",
)
CLONES = Layout(
    "git",
    "git clones",
    looks_like_clones,
    split,
    "of the last commit, else of the files",
)
