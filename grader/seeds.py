"""``python -m grader.seeds [NAME]...``: no verdict may depend on luck.

Every reference, right variant and named mistake is graded under many seeds.
Each check must come out the same way under all of them: one that does not is
mended, never tried again.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from grader.commands.console import make_console
from grader.course import Course, load_course
from grader.errors import EnvironmentFault, GraderError
from grader.results import Outcome
from grader.session.grade import Grader
from grader.session.namer import load_mistakes
from grader.session.start import Session
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
    return found | {f"mistake {k}": wrong / f"{k}.py" for k in load_mistakes(wrong)}


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
    options = _options(argv)
    try:
        course = load_course(options.course)
        names = [e.name for e in course.select(options.names) if e.kind != "quiz"]
        jobs = min(options.jobs or os.cpu_count() or 1, len(names))
        if jobs > 1:
            found = _side_by_side(options, names, jobs)
        else:
            found = _here(course, names, options.seeds)
    except GraderError as e:
        print(f"grader: error: {e}", file=sys.stderr)
        return e.exit_code
    if options.json:
        sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
    else:
        _show(make_console(), found)
    return 1 if any(s.faults for s in found) else 0


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m grader.seeds")
    parser.add_argument("names", nargs="*", help="exercises; default: all")
    parser.add_argument("--course", type=Path, default=Path())
    parser.add_argument("--seeds", "-n", type=int, default=SEEDS)
    parser.add_argument("--jobs", "-j", type=int, default=0, help="0: one per core")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(argv)


def _here(course: Course, names: list[str], seeds: int) -> list[Steadiness]:
    found: list[Steadiness] = []

    def work(grader: Grader) -> None:
        found.extend(steadiness(grader, name, seeds) for name in names)

    with Session(course, names, "none") as session:
        session.run(work)
    return found


def _side_by_side(
    options: argparse.Namespace, names: list[str], jobs: int
) -> list[Steadiness]:
    command = [sys.executable, "-m", "grader.seeds", "--json", "--jobs", "1"]
    command += ["--course", str(options.course), "--seeds", str(options.seeds)]
    running = [
        subprocess.Popen([*command, *names[i::jobs]], stdout=subprocess.PIPE)
        for i in range(jobs)
    ]
    found: list[Steadiness] = []
    for process in running:
        out, _ = process.communicate()
        if process.returncode not in (0, 1):
            raise EnvironmentFault("one of the grading processes ended early.")
        found += msgspec.json.decode(out, type=list[Steadiness])
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
