"""``python -m grader.seeds [NAME]...``: no verdict may depend on luck.

Every reference, right variant and named mistake is graded under many seeds.
Each check must come out the same way under all of them: one that does not is
mended, never tried again.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from grader import spread
from grader.commands.console import make_console
from grader.course import Course
from grader.errors import GraderError
from grader.results import Outcome
from grader.session.grade import Grader
from grader.session.namer import load_mistakes, ways
from grader.submission import as_submission

SEEDS, LAB_SEEDS = 200, 10  # training takes long
SEED = "seeds-{}"


class Steadiness(msgspec.Struct):
    """What came of an exercise's answers; ``faults`` are sentences."""

    exercise: str
    seeds: int
    answers: int = 0
    faults: list[str] = msgspec.field(default_factory=list)


def answers_of(course: Course, name: str) -> dict[str, Path]:
    """Every answer whose verdict is known, by what it is called in a report."""
    right = sorted((course.folder("variants") / name).glob("*.py"))
    wrong = course.folder("mistakes") / name
    found = {"the reference": course.folder("solutions") / f"{name}.py"}
    found |= {f"variant {path.stem}": path for path in right}
    modules = ways(load_mistakes(wrong))
    return found | {f"mistake {name}": wrong / f"{name}.py" for name in modules}


def steadiness(grader: Grader, name: str, seeds: int) -> Steadiness:
    """Grade every answer of ``name`` under so many seeds.

    Of a lab only right answers are trained, and under a few seeds.
    """
    answers = answers_of(grader.course, name)
    lab = grader.course.exercises[name].kind == "lab"
    ran, passed = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for number in range(seeds):
        grader.use(SEED.format(number), {})
        for answer, path in answers.items():
            trains = not lab or (number < LAB_SEEDS and not _is_wrong(answer))
            submission = as_submission(path, name)
            result = grader.run_exercise(submission, name, labs=trains).result
            for check in result.checks:
                ran[answer, check.id] += 1
                passed[answer, check.id] += check.outcome is Outcome.PASSED
    seen = Steadiness(name, seeds, len(answers))
    for (answer, check_id), count in ran.items():
        right = passed[answer, check_id]
        if right < count and (right or not _is_wrong(answer)):
            seen.faults.append(
                f"{name}: {answer} passes {check_id} under {right} of {count} seeds"
            )
    return seen


def _is_wrong(answer: str) -> bool:
    return answer.startswith("mistake ")


def main(argv: list[str] | None = None) -> int:
    """0 when no verdict depends on the seed, 1 when one does."""
    parser = spread.parser("grader.seeds")
    parser.add_argument("--seeds", "-n", type=int, default=SEEDS)
    options = parser.parse_args(argv)
    try:
        found = _found(options)
    except GraderError as e:
        print(f"grader: error: {e}", file=sys.stderr)
        return e.exit_code
    if options.json:
        sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
    else:
        _show(make_console(), found)
    return 1 if any(s.faults for s in found) else 0


def _found(options: argparse.Namespace) -> list[Steadiness]:
    course, names, jobs = spread.asked(options)
    if jobs == 1:
        return spread.in_session(
            course, names, lambda g, name: steadiness(g, name, options.seeds)
        )
    command = ["grader.seeds", "--course", str(options.course)]
    command += ["--seeds", str(options.seeds)]
    printed = spread.in_processes(command, names, jobs)
    found = [s for o in printed for s in msgspec.json.decode(o, type=list[Steadiness])]
    return sorted(found, key=lambda s: names.index(s.exercise))


def _show(console: Console, found: list[Steadiness]) -> None:
    grid = Table(box=None, pad_edge=False)
    grid.add_column("exercise", no_wrap=True)
    for title in ("answers", "seeds", "by luck"):
        grid.add_column(title, justify="right")
    for s in found:
        grid.add_row(s.exercise, *map(str, (s.answers, s.seeds, len(s.faults))))
    console.print(grid)
    faults = [f for s in found for f in s.faults]
    for fault in faults:
        print(f"FAULT {fault}")
    words = f"{len(faults)} faults" if faults else "no verdict depends on the seed"
    console.print(words, style="bold")


if __name__ == "__main__":
    sys.exit(main())
