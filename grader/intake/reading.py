"""From the paths on a command line to submissions."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import IntakeError
from grader.intake import archive, build, detect, entrynames, ids, names, tree
from grader.intake.handin import Context, Handin
from grader.intake.layouts import flat, single
from grader.intake.layouts.base import Layout, Split
from grader.intake.limits import Limits
from grader.intake.words import count, listed, show
from grader.submission import Submission


@dataclass
class Intake:
    """Everything that was handed in.

    ``submissions`` are sorted by id. ``layout`` is the name for ``--layout``
    ("mixed" when the paths differ), ``summary`` a line for people, ``times`` one
    on where the times of hand-ins come from, ``warnings`` what belongs to no
    single submission.
    """

    submissions: list[Submission] = field(default_factory=list)
    layout: str = "single"
    summary: str = ""
    times: str = ""
    warnings: list[str] = field(default_factory=list)


def read(
    paths: Sequence[Path],
    exercises: Sequence[str],
    *,
    layout: str | None = None,
    limits: Limits | None = None,
    asks: Mapping[str, Sequence[str]] | None = None,
    quizzes: Sequence[str] = (),
) -> Intake:
    """Read hand-ins: nothing is executed, nothing is unpacked onto disk.

    Args:
        paths: folders, archives, .py files or notebooks, in any mix.
        exercises: names of the exercises, in course order.
        layout: force one layout (a name of ``detect.LAYOUTS``).
        limits: caps on sizes and counts.
        asks: exercise -> names that it must define; used for files whose own
            names say nothing (``homework.ipynb``).
        quizzes: those exercises that are answered in a sheet, not in Python.

    Returns:
        One submission for each hand-in; one that cannot be read has ``error``.

    Raises:
        IntakeError: a path does not exist or is no kind of hand-in.
        UsageError: ``layout`` is unknown.
    """
    context = Context(tuple(exercises), asks or {}, limits or Limits(), tuple(quizzes))
    forced = detect.layout_called(layout) if layout else None
    paths, again = _once(paths)
    with ExitStack() as stack:  # holds archives open until all is read
        reader = _Reader(context, forced, stack, only=len(paths) == 1)
        found = [reader.path(p) for p in _grouped(list(paths), context)]
        handins = [h for f in found for h in f.split.handins]
        submissions = [build.build(h, context) for h in handins]
    loose = [
        tree.junk_label(e.name) if tree.is_junk(e.name) else e.name
        for f in found
        for e in f.split.loose
    ]
    ids.make_unique(submissions)
    submissions.sort(key=lambda s: s.id)
    layouts = list(dict.fromkeys(f.layout for f in found))
    intake = Intake(submissions, layouts[0].name if len(layouts) == 1 else "mixed")
    intake.summary = _summary(layouts, submissions)
    told = dict.fromkeys(f"{layout.title}: {layout.times}" for layout in layouts)
    intake.times = f"times of hand-ins: {'; '.join(told)}"
    intake.warnings += again
    intake.warnings += [note for f in found for note in f.split.notes + f.split.lost]
    if loose:
        names_ = list(dict.fromkeys(loose))
        intake.warnings.append(f"Not part of any submission: {listed(names_)}.")
    intake.warnings += [e.refusal for f in found for e in f.split.loose if _refused(e)]
    if not submissions:
        intake.warnings.append("There is no submission in it.")
    return intake


def _once(paths: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """The paths that lie in no other one, and a sentence on each of the others."""
    kept: dict[Path, Path] = {}
    places = {path.resolve() for path in paths}
    told = []
    for path in paths:
        place = path.resolve()
        if place in kept:
            told.append(f"{show(str(path))} is named twice; it is read once.")
        elif outer := places.intersection(place.parents):
            told.append(
                f"{show(str(path))} is read once, as a part of "
                f"{show(str(max(outer, key=lambda p: len(p.parts))))}."
            )
        else:
            kept[place] = path
    return list(kept.values()), told


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
    hit = context.match(path.name) if context.is_source(path.name) else None
    return hit is not None and hit.level != names.PART


@dataclass
class _Reader:
    """Reads each path of one call; archives stay open on ``stack``."""

    context: Context
    forced: Layout | None
    stack: ExitStack
    only: bool  # a single path was given

    def path(self, path: Path | list[Path]) -> detect.Found:
        if isinstance(path, list):
            return self.together(path)
        path = path.resolve()  # a link that the teacher names is followed
        mode = _mode(path)
        if stat.S_ISREG(mode):
            return self.file(path)
        if not stat.S_ISDIR(mode):
            raise IntakeError(f"{path} is neither a file nor a folder.")
        one = tree.from_disk(path, self.context.limits)
        found = self.find(one, 0)
        if not self.only and len(found.split.handins) == 1:
            # "grade class/*": each path is a student, whatever its only folder is.
            handin = found.split.handins[0]
            handin.id = handin.name = one.label
        return found

    def together(self, paths: list[Path]) -> detect.Found:
        files = [tree.from_file(p.resolve(), p.name) for p in paths]
        one = tree.Tree(paths[0].resolve().parent.name, files, kind="file")
        return detect.Found(single.LAYOUT, single.split(one, self.context, 0))

    def file(self, path: Path) -> detect.Found:
        name, _ = entrynames.from_os(path.name)
        if self.context.is_source(name):
            one = tree.Tree(names.stem(name), [tree.from_file(path, name)], kind="file")
            split = flat.split(one, self.context, 0)
            if not split.handins:  # a name that a folder's file could not have
                split = single.split(one, self.context, 0)
            return detect.Found(self.forced or single.LAYOUT, split)
        if not archive.is_archive(name):
            raise IntakeError(
                f"{path} is no hand-in: give a folder, a .py file, a notebook, or a "
                "zip, tar or tar.gz archive."
            )
        label = archive.stem(name)
        try:
            opened = archive.open_path(path, self.context.limits, self.stack)
        except IntakeError as e:
            row = Handin(label, name=label, error=str(e))
            return detect.Found(self.forced or single.LAYOUT, Split([row]))
        opened.label = label
        return self.find(opened, 1)

    def find(self, one: tree.Tree, depth: int) -> detect.Found:
        found = detect.find(one, self.context, self.forced, depth)
        if not self.only and found.split.notes:
            # Of several paths each is a student sooner than a class by a guess.
            return detect.find(one, self.context, single.LAYOUT, depth)
        return found


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except OSError as e:
        raise IntakeError(f"{path} cannot be read: {e.strerror}.") from e
