"""A folder for each student; archives and files between them count as well."""

from __future__ import annotations

import dataclasses

from grader.intake import archive, gittime, names
from grader.intake.handin import Context, Handin
from grader.intake.layouts import flat, single
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


def parts(tree: Tree, context: Context) -> tuple[list[str], bool]:
    """Which top folders hold answers, and whether they are parts of one hand-in.

    Never where an exercise is there twice (but for a student's whole clone, with
    ``exercises`` and ``solutions``), or an archive. Else one folder with answers
    is a part, and several are when their names say so.
    """
    groups = tree.groups()
    holders = [
        t for t, group in groups.items() if single.holds_exercise(group, context)
    ]
    if any(archive.is_archive(e.name) for group in groups.values() for e in group):
        return holders, False
    if all(map(names.is_program, holders)):
        return holders, bool(holders)
    if repeated(tree, context):
        return holders, False
    named = any(single.is_named(top, context) for top in holders)
    return holders, len(holders) == 1 or named or all(map(names.is_ordinary, holders))


def is_class(tree: Tree, context: Context) -> bool:
    """True when files beside the folders cannot make them one person's work.

    An exercise is there for several people, most of whose folders are called as
    no part of a program is.
    """
    holders = parts(tree, context)[0]
    people = [top for top in holders if not names.is_ordinary(top)]
    return len(people) > max(1, len(holders) // 2) and repeated(tree, context)


def repeated(tree: Tree, context: Context) -> bool:
    """True when two of the top folders answer the same exercise."""
    seen: set[str] = set()
    for group in tree.groups().values():
        hits = [context.match(e.name) for e in group if context.is_source(e.name)]
        found = {name for hit in hits if hit for name in hit.exercises}
        if found & seen:
            return True
        seen |= found
    return False


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
