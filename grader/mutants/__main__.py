"""``python -m grader.mutants [NAME]...``: the mutation score of the suites."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from grader.commands.console import make_console
from grader.course import Course, load_course
from grader.errors import EnvironmentFault, GraderError
from grader.mutants.equivalent import as_entry
from grader.mutants.score import KILLED_LEAST, Score, score_exercise
from grader.session.grade import Grader
from grader.session.start import Session

SEED = "validate-0"  # fixed: the same mutants live or die in every run


def main(argv: list[str] | None = None) -> int:
    """0 when every suite kills what it must, 1 when not, as errors say otherwise."""
    options = _options(argv)
    try:
        course = load_course(options.course)
        chosen = course.select(options.names)
        names = [e.name for e in chosen if e.kind != "quiz"]
        jobs = min(options.jobs or os.cpu_count() or 1, len(names))
        if jobs > 1:
            scores = _side_by_side(options, names, jobs)
        else:
            scores = _here(course, names, options.sample)
    except GraderError as e:
        print(f"grader: error: {e}", file=sys.stderr)
        return e.exit_code
    if options.json:
        sys.stdout.buffer.write(msgspec.json.encode(scores) + b"\n")
    else:
        _show(make_console(), scores)
    return 0 if all(s.enough for s in scores) else 1


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m grader.mutants")
    parser.add_argument("names", nargs="*", help="exercises; default: all")
    parser.add_argument("--course", type=Path, default=Path())
    parser.add_argument("--sample", type=int, help="only so many of each exercise")
    parser.add_argument("--jobs", "-j", type=int, default=0, help="0: one per core")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(argv)


def _here(course: Course, names: list[str], count: int | None) -> list[Score]:
    scores: list[Score] = []

    def work(grader: Grader) -> None:
        scores.extend(score_exercise(grader, n, SEED, count) for n in names)

    with Session(course, names, "none") as session:
        session.run(work)
    return scores


def _side_by_side(
    options: argparse.Namespace, names: list[str], jobs: int
) -> list[Score]:
    """Score in ``jobs`` processes, each with its share of the exercises."""
    command = [sys.executable, "-m", "grader.mutants", "--json", "--jobs", "1"]
    command += ["--course", str(options.course)]
    if options.sample is not None:
        command += ["--sample", str(options.sample)]
    running = [
        subprocess.Popen([*command, *names[i::jobs]], stdout=subprocess.PIPE)
        for i in range(jobs)
    ]
    scores: list[Score] = []
    for process in running:
        out, _ = process.communicate()
        if process.returncode not in (0, 1):
            raise EnvironmentFault("one of the scoring processes ended early.")
        scores += msgspec.json.decode(out, type=list[Score])
    return sorted(scores, key=lambda s: names.index(s.exercise))


def _show(console: Console, scores: list[Score]) -> None:
    grid = Table(box=None, pad_edge=False)
    grid.add_column("exercise", no_wrap=True)
    for title in ("mutants", "killed", "reviewed", "untried", "score"):
        grid.add_column(title, justify="right")
    for s in scores:
        numbers = (s.mutants, s.killed, s.equivalent, s.untried)
        grid.add_row(s.exercise, *map(str, numbers), f"{s.percent:.1f} %")
    console.print(grid)
    for score in scores:
        for mutant in score.survivors:
            print(f"\nalive: {score.exercise}\n{mutant.diff()}\n\n{as_entry(mutant)}")
        for fault in score.faults:
            print(f"FAULT {fault}")
    below = [s.exercise for s in scores if not s.enough]
    least = f"{KILLED_LEAST} %"
    words = f"at least {least} everywhere" if not below else f"below {least}: "
    console.print(words + ", ".join(below), style="bold")


if __name__ == "__main__":
    sys.exit(main())
