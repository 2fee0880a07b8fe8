"""From the paths on a command line to submissions."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import IntakeError
from grader.intake import archive, build, detect, entrynames, ids, names, tree
from grader.intake.handin import Context, Handin
from grader.intake.layouts import flat, single
from grader.intake.layouts.base import Layout, Split
from grader.intake.limits import Limits
from grader.intake.words import count, listed
from grader.submission import Submission


@dataclass
class Intake:
    """Everything that was handed in.

    ``submissions`` are sorted by id. ``layout`` is the name for ``--layout``
    ("mixed" when the paths differ), ``summary`` a line for people, ``warnings``
    what belongs to no single submission.
    """

    submissions: list[Submission] = field(default_factory=list)
    layout: str = "single"
    summary: str = ""
    warnings: list[str] = field(default_factory=list)


def read(
    paths: Sequence[Path],
    exercises: Sequence[str],
    *,
    layout: str | None = None,
    limits: Limits | None = None,
    asks: Mapping[str, Sequence[str]] | None = None,
) -> Intake:
    """Read hand-ins: nothing is executed, nothing is unpacked onto disk.

    Args:
        paths: folders, archives, .py files or notebooks, in any mix.
        exercises: names of the exercises, in course order.
        layout: force one layout (a name of ``detect.LAYOUTS``).
        limits: caps on sizes and counts.
        asks: exercise -> names that it must define; used for files whose own
            names say nothing (``homework.ipynb``).

    Returns:
        One submission for each hand-in; one that cannot be read has ``error``.

    Raises:
        IntakeError: a path does not exist or is no kind of hand-in.
        UsageError: ``layout`` is unknown.
    """
    context = Context(tuple(exercises), asks or {}, limits or Limits())
    forced = detect.layout_called(layout) if layout else None
    found: list[detect.Found] = []
    loose: list[str] = []
    for path in _grouped(list(paths), context):
        one = _read_path(path, context, forced, only=len(paths) == 1)
        found.append(one)
        loose += [
            tree.junk_label(e.name) if tree.is_junk(e.name) else e.name
            for e in one.split.loose
        ]
    handins = [h for f in found for h in f.split.handins]
    submissions = [build.build(h, context) for h in handins]
    ids.make_unique(submissions)
    submissions.sort(key=lambda s: s.id)
    layouts = list(dict.fromkeys(f.layout for f in found))
    intake = Intake(submissions, layouts[0].name if len(layouts) == 1 else "mixed")
    intake.summary = _summary(layouts, submissions)
    if loose:
        names_ = list(dict.fromkeys(loose))
        intake.warnings.append(f"Not part of any submission: {listed(names_)}.")
    intake.warnings += [e.refusal for f in found for e in f.split.loose if _refused(e)]
    if not submissions:
        intake.warnings.append("There is no submission in it.")
    return intake


def _refused(entry: tree.Entry) -> bool:
    return bool(entry.refusal) and not tree.is_junk(entry.name)


def _summary(layouts: Sequence[Layout], submissions: list[Submission]) -> str:
    titles = " and ".join(layout.title for layout in layouts)
    titles = titles[:1].upper() + titles[1:]
    if [layout.name for layout in layouts] == ["single"]:
        many = count(len(submissions), "submission")
        return f"{many}: {listed([s.id for s in submissions], 3)}"
    return f"{titles}, {count(len(submissions), 'student')}"


def _grouped(paths: list[Path], context: Context) -> list[Path | list[Path]]:
    """Files named like exercises that lie in one folder are one hand-in."""
    if not paths:
        raise IntakeError("no path is given; name a folder, an archive or a file.")
    direct = [p for p in paths if p.is_file() and _is_direct(p, context)]
    parents = Counter(p.parent for p in direct)
    out: list[Path | list[Path]] = []
    for path in paths:
        if path in direct and len(paths) > 1:
            if parents.pop(path.parent, 0):
                out.append([p for p in direct if p.parent == path.parent])
        else:
            out.append(path)
    return out


def _is_direct(path: Path, context: Context) -> bool:
    hit = (
        names.match(path.name, context.exercises)
        if names.is_source(path.name)
        else None
    )
    return hit is not None and hit.level != names.PART


def _read_path(
    path: Path | list[Path], context: Context, forced: Layout | None, only: bool
) -> detect.Found:
    if isinstance(path, list):
        files = [tree.from_file(p.resolve(), p.name) for p in path]
        label = path[0].resolve().parent.name
        one = tree.Tree(label, files, kind="file")
        return detect.Found(single.LAYOUT, single.split(one, context, 0))
    path = path.resolve()  # a link that the teacher names is followed
    mode = _mode(path)
    if stat.S_ISDIR(mode):
        found = detect.find(tree.from_disk(path, context.limits), context, forced, 0)
    elif not stat.S_ISREG(mode):
        raise IntakeError(f"{path} is neither a file nor a folder.")
    else:
        found = _read_file(path, context, forced)
    if not only and len(found.split.handins) == 1 and stat.S_ISDIR(mode):
        # "grade class/*": each path is a student, whatever its only folder is called.
        handin = found.split.handins[0]
        handin.id = handin.name = entrynames.from_os(path.name)[0]
    return found


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except OSError as e:
        raise IntakeError(f"{path} cannot be read: {e.strerror}.") from e


def _read_file(path: Path, context: Context, forced: Layout | None) -> detect.Found:
    name, _ = entrynames.from_os(path.name)
    if names.is_source(name):
        one = tree.Tree(names.stem(name), [tree.from_file(path, name)], kind="file")
        split = flat.split(one, context, 0)
        return detect.Found(forced or single.LAYOUT, split)
    if not archive.is_archive(name):
        raise IntakeError(
            f"{path} is no hand-in: give a folder, a .py file, a notebook, or a zip, "
            "tar or tar.gz archive."
        )
    label = archive.stem(name)
    try:
        opened = archive.open_path(path, context.limits)
    except IntakeError as e:
        row = Handin(label, name=label, error=str(e))
        return detect.Found(forced or single.LAYOUT, Split([row]))
    opened.label = label
    return detect.find(opened, context, forced, 1)
