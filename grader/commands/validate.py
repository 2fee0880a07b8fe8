"""``validate``: prove the suites and print what was proved."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.table import Table
from rich.text import Text

from grader import spread
from grader.commands.console import make_console
from grader.course import load_course
from grader.session.start import Session
from grader.validate.outside import Verdict, judge_outside, read_manifest
from grader.validate.proof import validate_exercise, validate_quiz
from grader.validate.tally import Tally

if TYPE_CHECKING:
    from rich.console import Console

    from grader.session.grade import Grader

# Fixed, so that a run can be repeated; a gradebook's own seed is secret.
SEEDS = "validate-{}"


@dataclass
class Options:
    """What was asked for."""

    exercises: list[str]
    seeds: int
    extra: Path | None
    isolation: str
    json: bool
    jobs: int = 1


class Found(msgspec.Struct):
    """What ``--json`` prints, and what one of several processes reports."""

    exercises: list[Tally] = msgspec.field(default_factory=list)
    outside: list[Verdict] = msgspec.field(default_factory=list)


def run(root: Path, options: Options) -> int:
    """0 when everything holds, 1 when not."""
    course = load_course(root)
    asked = options.exercises or list(course.exercises)  # drafts too
    names = [e.name for e in course.select(asked)]
    console = make_console(stderr=options.json)
    jobs = min(options.jobs, len(names))
    if jobs > 1 and options.extra is None:
        found = _side_by_side(root, names, jobs, options)
    else:
        found = _here(root, names, options)
    if options.json:
        sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
    elif options.extra is not None:
        _show_outside(console, found.outside)
    else:
        _show(console, found.exercises)
    sound = all(t.sound for t in found.exercises)
    return 0 if sound and all(v.right for v in found.outside) else 1


def _here(root: Path, names: list[str], options: Options) -> Found:
    """Validate in this process."""
    course = load_course(root)
    found = Found()
    seeds = [SEEDS.format(i) for i in range(options.seeds)]

    def work(grader: Grader) -> None:
        if options.extra is not None:
            entries = read_manifest(options.extra, course)
            entries = [e for e in entries if e.exercise in names]
            verdicts = judge_outside(grader, options.extra, entries, seeds)
            found.outside.extend(verdicts)
            return
        for name in code:
            found.exercises.append(validate_exercise(grader, name, seeds))

    code = [name for name in names if name not in course.quizzes]
    if options.extra is None:
        for name in (n for n in names if n in course.quizzes):
            found.exercises.append(validate_quiz(course, name))
        if not code:
            return found
    with Session(course, names, options.isolation) as session:
        session.run(work)
    found.exercises.sort(key=lambda t: names.index(t.exercise))
    return found


def _side_by_side(root: Path, names: list[str], jobs: int, options: Options) -> Found:
    """Validate in ``jobs`` processes, each with its share of the exercises."""
    command = ["grader", "validate", "--course", str(root)]
    command += ["--seeds", str(options.seeds), "--isolation", options.isolation]
    merged = Found()
    for out in spread.in_processes(command, names, jobs):
        merged.exercises += msgspec.json.decode(out, type=Found).exercises
    merged.exercises.sort(key=lambda t: names.index(t.exercise))
    return merged


def _show(console: Console, tallies: list[Tally]) -> None:
    grid = Table(box=None, pad_edge=False)
    grid.add_column("exercise", no_wrap=True)
    for title in ("checks", "seeds", "reference", "skeleton", "variants", "mistakes"):
        grid.add_column(title, justify="right")
    for title in ("named", "mutants"):
        grid.add_column(title, justify="right")
    for t in tallies:
        grid.add_row(
            t.exercise,
            str(t.checks),
            str(t.seeds),
            "100 %" if t.reference else "below",
            "0" if t.skeleton else "not 0",
            f"{t.variants_right}/{t.variants}",
            f"{t.mistakes_caught}/{t.mistakes}",
            f"{t.mistakes_named}/{t.mistakes}",
            f"{t.mutants_killed}/{t.mutants}",
        )
    console.print(grid)
    for tally in tallies:
        for line in _names(tally):
            console.print(Text(line), soft_wrap=True)
    for note in (n for t in tallies for n in t.notes):
        console.print(Text(f"NOTE {note}", "yellow"), soft_wrap=True)
    faults = [f for t in tallies for f in t.faults]
    for fault in faults:
        console.print(Text(f"FAULT {fault}", "red"), soft_wrap=True)
    words = f"{len(faults)} faults" if faults else "everything holds"
    console.print(Text(words, "bold"))


def _names(tally: Tally) -> list[str]:
    """What the confusion matrix has beside its diagonal, in words.

    A row of it is one mistake, or all that is right; a column is what it was
    named as. Entries that are faults stand among the faults.
    """
    lines = [f"{tally.exercise}: alike, named as one of: {a}" for a in tally.alike]
    if tally.unnamed:
        names = ", ".join(tally.unnamed)
        lines.append(f"{tally.exercise}: not recognised for some seed: {names}")
    if tally.named_falsely:
        lines.append(f"{tally.exercise}: named falsely: {tally.named_falsely} times")
    return lines


def _show_outside(console: Console, verdicts: list[Verdict]) -> None:
    for v in verdicts:
        word = "agreed" if v.right else "FALSE PASS" if v.passed else "FALSE FAIL"
        named = f", named {v.mistake}" if v.mistake else ""
        console.print(f"{word:10}  {v.exercise}  {v.path}  {v.score}{named}")
        if not v.right:
            console.print(f"            {v.why} [{', '.join(v.failing)}]")
    wrong = [v for v in verdicts if not v.right]
    false_passes = sum(v.passed for v in wrong)
    known = sum(v.mistake is not None for v in verdicts if v.expect == "fail")
    console.print(
        f"{len(verdicts)} variants: {false_passes} false passes, "
        f"{len(wrong) - false_passes} false fails, {known} mistakes named",
        style="bold",
    )
