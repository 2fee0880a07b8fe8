"""``validate``: prove the suites and print what was proved."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.table import Table
from rich.text import Text

from grader.commands.console import make_console
from grader.course import load_course
from grader.session.start import Session

if TYPE_CHECKING:
    from rich.console import Console

    from grader.session.grade import Grader
    from grader.validate import Tally, Verdict

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


def run(root: Path, options: Options) -> int:
    """0 when everything holds, 1 when not."""
    course = load_course(root)
    names = [e.name for e in course.select(options.exercises)]
    console = make_console(stderr=options.json)
    tallies: list[Tally] = []
    verdicts: list[Verdict] = []

    def work(grader: Grader) -> None:
        from grader import validate

        if options.extra is not None:
            entries = validate.read_manifest(options.extra, course)
            entries = [e for e in entries if e.exercise in names]
            verdicts.extend(validate.judge_outside(grader, options.extra, entries))
            return
        seeds = [SEEDS.format(i) for i in range(options.seeds)]
        for name in names:
            tallies.append(validate.validate_exercise(grader, name, seeds))
            if not options.json:
                _progress(console, tallies[-1])

    with Session(course, names, options.isolation) as session:
        session.run(work)
    if options.json:
        data = {"exercises": tallies, "outside": verdicts}
        sys.stdout.buffer.write(msgspec.json.encode(data) + b"\n")
    elif options.extra is not None:
        _show_outside(console, verdicts)
    else:
        _show(console, tallies)
    sound = all(t.sound for t in tallies) and all(v.right for v in verdicts)
    return 0 if sound else 1


def _progress(console: Console, tally: Tally) -> None:
    if console.is_terminal:
        console.print(f"{tally.exercise}: {'sound' if tally.sound else 'faults'}")


def _show(console: Console, tallies: list[Tally]) -> None:
    grid = Table(box=None, pad_edge=False)
    grid.add_column("exercise", no_wrap=True)
    for title in ("checks", "seeds", "reference", "skeleton", "variants", "mistakes"):
        grid.add_column(title, justify="right")
    grid.add_column("named", justify="right")
    for t in tallies:
        grid.add_row(
            t.exercise,
            str(t.checks),
            str(t.seeds),
            "100 %" if t.reference == t.seeds else "below",
            "0" if t.skeleton else "not 0",
            f"{t.variants_right}/{t.variants}",
            f"{t.mistakes_caught}/{t.mistakes}",
            f"{t.mistakes_named}/{t.mistakes}",
        )
    console.print(grid)
    faults = [f for t in tallies for f in t.faults]
    for fault in faults:
        console.print(Text(f"FAULT {fault}", "red"), soft_wrap=True)
    words = f"{len(faults)} faults" if faults else "everything holds"
    console.print(Text(words, "bold"))


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
