"""``rerun``: one verdict once more, from the stored files, seed and limits."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from grader.batch.limits import known_limits
from grader.course import Course
from grader.errors import UsageError
from grader.gradebook import Gradebook
from grader.intake.ids import safe_id
from grader.isolation import ladder
from grader.isolation.probe import probe
from grader.report.clean import clean_line
from grader.results import ExerciseResult, SubmissionResult, to_json
from grader.semester import lookup
from grader.semester.deciding import Common, console, opened
from grader.session.grade import Grader
from grader.session.start import Session
from grader.submission import Source, Submission

AROUND = 4  # lines of the file shown on each side of the line that failed


@dataclass
class Options(Common):
    """What was asked for."""

    submission: str = ""
    exercise: str = ""
    verbose: bool = False
    open: bool = False
    isolation: str = ""


def run(options: Options) -> int:
    """0 when the verdict came out again, 1 when it did not, 3 for a fault of ours."""
    screen = console(options)
    with opened(options) as (course, book):
        stored = lookup.submission(book, options.submission)
        lookup.exercise(course, stored, options.exercise)
        submission = _files(book, options)
        again = _run(course, book, submission, stored, options, screen)
    before, now = stored.exercises[options.exercise], again.exercises[options.exercise]
    if options.json:
        sys.stdout.buffer.write(to_json(again) + b"\n")
    else:
        _show(screen, course, again, options)
        _beside(screen, submission.files.get(options.exercise), now, options)
    different = list(differences(before, now))
    for line in different:
        screen.print(line, style="yellow", soft_wrap=True)
    if again.status == "grader_error":
        return 3
    if not different:
        screen.print("the verdict is the one that is stored.")
    return 1 if different else 0


def _files(book: Gradebook, options: Options) -> Submission:
    submission = book.handed_in(options.submission)
    if submission is None:
        raise UsageError(
            f"the files of {options.submission} are not kept in {book.path}; grade "
            "them once more, from then on they are."
        )
    submission.aliases = book.standing.aliases.get(options.submission, {})
    return submission


def _run(
    course: Course,
    book: Gradebook,
    submission: Submission,
    stored: SubmissionResult,
    options: Options,
    screen: Console,
) -> SubmissionResult:
    """Grade the one exercise in a session of this process."""
    level = ladder.choose(options.isolation or None, probe())
    screen.print(f"isolation: {level}; seed: {stored.seed}")
    names = [options.exercise]
    factor = float(book.standing.time_factors.get(options.submission, 1))
    limits = known_limits(book, stored.seed)
    found: list[SubmissionResult] = []

    def work(grader: Grader) -> None:
        grader.use(stored.seed, limits, factor)
        found.append(grader.grade(submission, names))

    with Session(course, names, level) as session:
        session.run(work, stored.seed)
    return found[0]


def _show(
    screen: Console, course: Course, again: SubmissionResult, options: Options
) -> None:
    from grader.report.editions import build
    from grader.report.terminal import print_result

    print_result(screen, build(again, course, "ta"), verbose=options.verbose)


def _beside(
    screen: Console, source: Source | None, now: ExerciseResult, options: Options
) -> None:
    """The student's file, written out to be read, at the line that failed."""
    if source is None:
        return
    folder = options.out / "rerun" / safe_id(options.submission)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{options.exercise}.{source.kind}"
    path.write_bytes(source.data or source.text.encode())
    line = next((c.line for c in now.checks if c.line is not None), None)
    screen.print(f"\n{path}" + (f", line {line}" if line else ""), soft_wrap=True)
    if line and source.kind == "py":
        for text in _excerpt(source.text.splitlines(), line):
            screen.print(text, soft_wrap=True)
    if options.open:
        _open(path, line)


def _excerpt(lines: list[str], line: int) -> Iterator[str]:
    first = max(1, line - AROUND)
    for number, text in enumerate(lines[first - 1 : line + AROUND], first):
        mark = ">" if number == line else " "
        yield f"{mark} {number:>4}  {clean_line(text)}"


def _open(path: Path, line: int | None) -> None:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise UsageError(f"set VISUAL or EDITOR to open {path}.")
    place = [f"+{line}"] if line else []
    subprocess.run([*shlex.split(editor), *place, str(path)], check=False)


def differences(before: ExerciseResult, now: ExerciseResult) -> Iterator[str]:
    """What came out differently; points that people changed do not count."""
    stored = {check.id: check.outcome for check in before.checks}
    for check in now.checks:
        earlier = stored.pop(check.id, None)
        if earlier is None:
            yield f"{check.id} was not there when it was graded: it is {check.outcome}."
        elif earlier is not check.outcome:
            yield f"{check.id} was {earlier} and is now {check.outcome}."
    for name, outcome in stored.items():
        yield f"{name} was {outcome} and is there no more."
