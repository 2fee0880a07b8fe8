"""One hand-in: a folder, an archive or a file that holds exercises directly."""

from __future__ import annotations

from grader.intake import gittime, names
from grader.intake.handin import Context, Handin
from grader.intake.layouts.base import Layout, Split
from grader.intake.tree import Entry, Tree


def looks_like(tree: Tree, context: Context) -> bool:
    """Exercise files at the root, or every top folder named like an exercise."""
    direct, students = direct_and_named(tree.root_files(), context)
    if direct:
        holders = sum(holds_exercise(g, context) for g in tree.groups().values())
        return direct >= len(students) and not holders > max(2, direct)
    groups = tree.groups()
    if not groups or tree.root_files():
        return False
    return all(is_named(folder, context) for folder in groups)


def split(tree: Tree, context: Context, depth: int) -> Split:
    """Everything is one hand-in, called like the folder or archive."""
    handin = Handin(tree.label, tree.entries, tree.label, depth)
    handin.use_file_times = tree.kind != "zip"
    if tree.folder:
        gittime.apply(handin, tree.folder)
    return Split([handin])


def direct_and_named(files: list[Entry], context: Context) -> tuple[int, set[str]]:
    """How many files are called like an exercise, and whose names the others bear."""
    direct, students = 0, set()
    for entry in files:
        if context.is_source(entry.name):
            hit = context.match(entry.name)
            if hit and hit.level == names.PART:
                if names.is_test(hit.rest):
                    continue
                students.add(hit.rest.casefold())
            elif hit:
                direct += 1
    return direct, students


def holds_exercise(entries: list[Entry], context: Context) -> bool:
    """True when some file is called like an exercise."""
    return any(
        context.is_source(e.name) and context.match(e.name) is not None for e in entries
    )


def is_named(folder: str, context: Context) -> bool:
    """True when a folder is called like an exercise."""
    hit = names.match_stem(names.stem(folder), context.code)
    return hit is not None and hit.level <= names.COPY


LAYOUT = Layout(
    "single",
    "single submission",
    looks_like,
    split,
    "of the last commit, else of the files; unknown in a zip",
)
