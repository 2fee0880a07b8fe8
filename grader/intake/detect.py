"""Which layout a tree has, and where in it the students begin."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from grader.errors import IntakeError, UsageError
from grader.intake import archive
from grader.intake.handin import Context
from grader.intake.layouts import (
    canvas,
    exercises,
    flat,
    folders,
    gradescope,
    moodle,
    nbgrader,
    sections,
    single,
)
from grader.intake.layouts.base import Layout, Split
from grader.intake.tree import Tree
from grader.intake.words import listed, show

# Forms that only one program writes are asked first.
_PROGRAMS = [gradescope.LAYOUT, moodle.LAYOUT, canvas.LAYOUT, nbgrader.LAYOUT]
_PLAIN = [
    exercises.LAYOUT,
    single.LAYOUT,
    folders.CLONES,
    sections.LAYOUT,
    folders.LAYOUT,
    flat.LAYOUT,
]
LAYOUTS = {layout.name: layout for layout in _PROGRAMS + _PLAIN}
_MOST_WRAPPERS = 3


@dataclass
class Found:
    """A layout and what it makes of the tree."""

    layout: Layout
    split: Split


def layout_called(name: str) -> Layout:
    """The layout of ``--layout NAME``.

    Raises:
        UsageError: there is none of that name.
    """
    if name not in LAYOUTS:
        known = ", ".join(sorted(LAYOUTS))
        raise UsageError(f"unknown layout {name!r}; it is one of: {known}.")
    return LAYOUTS[name]


def find(tree: Tree, context: Context, forced: Layout | None, depth: int) -> Found:
    """Detect (or apply) a layout. ``depth``: archives that the tree lies in."""
    if forced is not None:
        found = _forced(tree, context, forced, depth)
    else:
        found = _detected(tree, context, depth)
    handins = found.split.handins
    (handins[0].warnings if len(handins) == 1 else found.split.lost).extend(tree.lost)
    return found


def _detected(tree: Tree, context: Context, depth: int) -> Found:
    level: Tree | None = tree
    for _ in range(_MOST_WRAPPERS):
        if level is None:
            break
        for layout in _PROGRAMS:
            if layout.looks_like(level.without_junk(), context):
                return Found(layout, layout.split(level, context, depth))
        level = _unwrapped(level)
    inner = _only_archive(tree, context, depth)
    return inner or _plain(tree, context, depth)


def _forced(tree: Tree, context: Context, layout: Layout, depth: int) -> Found:
    level: Tree | None = tree
    for _ in range(_MOST_WRAPPERS):
        if level is None:
            break
        inner = _unwrapped(level) if layout is folders.LAYOUT else None
        wraps = inner is not None and _wraps_students(inner.without_junk(), context)
        if not wraps and layout.looks_like(level.without_junk(), context):
            return Found(layout, layout.split(level, context, depth))
        level = _unwrapped(level)
    return Found(layout, layout.split(tree, context, depth))


def _wraps_students(clean: Tree, context: Context) -> bool:
    """True when folders that are said to be students' begin further inside."""
    if _holds_students(clean, context):
        return True
    direct = single.direct_and_named(clean.root_files(), context)[0]
    return (
        not direct and len(clean.groups()) > 1 and not folders.parts(clean, context)[1]
    )


def _unwrapped(tree: Tree) -> Tree | None:
    """The tree inside its only top folder, None when it has more than that."""
    clean = tree.without_junk()
    tops = list(clean.groups())
    if len(tops) != 1 or clean.root_files():
        return None
    return tree.below(tops[0])


def _plain(tree: Tree, context: Context, depth: int) -> Found:
    layout = _plain_layout(tree.without_junk(), context)
    inner = _unwrapped(tree) if layout in (folders.LAYOUT, folders.CLONES) else None
    if inner is None or layout is folders.CLONES:
        return Found(layout, layout.split(tree, context, depth))
    if _holds_students(inner.without_junk(), context):
        found = _plain(inner, context, depth)
        _own_up(found, inner, context)
        return found
    if tree.kind != "folder":
        # lee.zip with one folder in it: the archive bears the student's name.
        named = dataclasses.replace(inner, label=tree.label)
        found = Found(single.LAYOUT, single.split(named, context, depth))
    else:
        found = Found(layout, layout.split(tree, context, depth))
    _own_up(found, inner, context)
    return found


def _own_up(found: Found, inner: Tree, context: Context) -> None:
    """Say what was taken for students, or not, where files alone do not tell."""
    clean = inner.without_junk()
    holders, _ = folders.parts(clean, context)
    if len(holders) < 2 or any(single.is_named(h, context) for h in holders):
        return
    shown = f"{show(inner.label)}/ ({listed(holders)})"
    if len(found.split.handins) == 1:
        found.split.handins[0].warnings.append(
            f"The folders in {shown} are taken for parts of one hand-in, not for "
            "students."
        )
    elif found.layout is folders.LAYOUT and (
        _has_loose_source(clean, context) or not folders.repeated(clean, context)
    ):
        found.split.notes.append(
            f"Each folder in {shown} is taken for a student; --layout single makes "
            "them one hand-in."
        )


def _plain_layout(clean: Tree, context: Context) -> Layout:
    for layout in _PLAIN:
        if layout.looks_like(clean, context):
            return layout
    return single.LAYOUT


def _holds_students(clean: Tree, context: Context, left: int = _MOST_WRAPPERS) -> bool:
    """True when a lone top folder is a wrapper and not itself a student's."""
    layout = _plain_layout(clean, context)
    if layout is folders.LAYOUT:
        inner = _unwrapped(clean)
        if inner is not None:
            return left > 0 and _holds_students(inner, context, left - 1)
        if folders.parts(clean, context)[1]:
            return False
        return folders.is_class(clean, context) or not _has_loose_source(clean, context)
    if layout is flat.LAYOUT:
        _, students = single.direct_and_named(clean.root_files(), context)
        archives = [e for e in clean.root_files() if archive.is_archive(e.name)]
        return max(len(students), len(archives)) > 1
    return layout in (folders.CLONES, exercises.LAYOUT, sections.LAYOUT)


def _has_loose_source(clean: Tree, context: Context) -> bool:
    return any(context.is_source(e.name) for e in clean.root_files())


def _only_archive(tree: Tree, context: Context, depth: int) -> Found | None:
    """A folder that holds nothing but a download: look inside the download."""
    clean = tree.without_junk().entries
    if len(clean) != 1 or not archive.is_archive(clean[0].name):
        return None
    if depth + 1 > context.limits.archive_depth:
        return None
    try:
        data = clean[0].read(context.limits.archive_bytes)
        inner = archive.open_bytes(data, clean[0].base, context.limits)
    except IntakeError:
        return None  # the plain layout makes a row of it, with this message
    inner.label = archive.stem(clean[0].base)
    found = find(inner, context, None, depth + 1)
    if found.layout in _PROGRAMS or len(found.split.handins) > 1:
        return found
    return None
