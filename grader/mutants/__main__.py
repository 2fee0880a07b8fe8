"""``python -m grader.mutants [NAME]...``: the mutation score of the suites."""

from __future__ import annotations

import argparse
import sys

import msgspec
from rich.console import Console
from rich.table import Table

from grader import spread
from grader.commands.console import make_console
from grader.errors import GraderError
from grader.mutants.equivalent import as_entry
from grader.mutants.score import KILLED_LEAST, Score, score_exercise

SEED = "validate-0"  # fixed: the same mutants live or die in every run


def main(argv: list[str] | None = None) -> int:
    """0 when every suite kills what it must, 1 when not, as errors say otherwise."""
    parser = spread.parser("grader.mutants")
    parser.add_argument("--sample", type=int, help="only so many of each exercise")
    options = parser.parse_args(argv)
    try:
        scores = _scores(options)
    except GraderError as e:
        print(f"grader: error: {e}", file=sys.stderr)
        return e.exit_code
    if options.json:
        sys.stdout.buffer.write(msgspec.json.encode(scores) + b"\n")
    else:
        _show(make_console(), scores)
    return 0 if all(s.enough for s in scores) else 1


def _scores(options: argparse.Namespace) -> list[Score]:
    course, names, jobs = spread.asked(options)
    if jobs == 1:
        return spread.in_session(
            course, names, lambda g, name: score_exercise(g, name, SEED, options.sample)
        )
    command = ["grader.mutants", "--course", str(options.course)]
    if options.sample is not None:
        command += ["--sample", str(options.sample)]
    printed = spread.in_processes(command, names, jobs)
    scores = [s for out in printed for s in msgspec.json.decode(out, type=list[Score])]
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
