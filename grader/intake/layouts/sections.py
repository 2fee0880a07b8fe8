"""A folder for each section of a class, and in it one for each student."""

from __future__ import annotations

import dataclasses

from grader.intake.handin import Context
from grader.intake.layouts import folders, single
from grader.intake.layouts.base import Layout, Split
from grader.intake.tree import JUNK_FOLDERS, Tree


def looks_like(tree: Tree, context: Context) -> bool:
    """Each top folder with answers is a class, and no two share a folder's name.

    Parts of one person's work are called alike in everybody's folder.
    """
    seen: set[str] = set()
    sections = _sections(tree, context)
    for section in sections.values():
        inside = section.groups().keys()
        if not folders.is_class(section, context) or seen & inside:
            return False
        seen |= inside
    return len(sections) > 1


def split(tree: Tree, context: Context, depth: int) -> Split:
    """The students of every section, then whatever lies beside the sections."""
    sections = _sections(tree, context)
    beside = [e for e in tree.entries if e.name.partition("/")[0] not in sections]
    found = Split()
    for top, section in sections.items():
        part = folders.split(section, context, depth)
        found.handins += part.handins
        found.loose += [
            dataclasses.replace(e, name=f"{top}/{e.name}") for e in part.loose
        ]
    rest = folders.split(dataclasses.replace(tree, entries=beside), context, depth)
    found.handins += rest.handins
    found.loose += rest.loose
    return found


def _sections(tree: Tree, context: Context) -> dict[str, Tree]:
    return {
        top: tree.below(top, group)
        for top, group in tree.groups().items()
        if top not in JUNK_FOLDERS and single.holds_exercise(group, context)
    }


LAYOUT = Layout(
    "sections",
    "sections with a folder per student",
    looks_like,
    split,
    folders.LAYOUT.times,
)
