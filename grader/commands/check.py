"""``check``: the public checks on one's own exercises, warm as early as possible."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from grader.course import Course, load_course
from grader.errors import UsageError
from grader.lang import _, sentence
from grader.report.live import Live
from grader.session.core import HERE
from grader.session.start import Session

if TYPE_CHECKING:
    from grader.results import SubmissionResult
    from grader.session.grade import Grader
    from grader.submission import Submission


@dataclass
class Options:
    """What was asked for."""

    exercises: list[str]
    file: Path | None
    hidden: bool
    verbose: bool
    json: bool
    plain: bool
    fresh: bool = False
    compare: bool = False
    github: bool = False
    output: Path | None = None


def run(root: Path, options: Options) -> int:
    """0 when everything asked for passed, 1 when not."""
    course = load_course(root)
    names = [e.name for e in course.select(options.exercises)]
    if set(names) <= set(course.quizzes) and not options.hidden:
        return _answered(course, names, options)
    # The worker warms up while this process reads the files and imports torch.
    public = not options.hidden
    with Session(course, names, "none", public, options.fresh) as session:
        submission = read_own(course, options)
        found: list[SubmissionResult] = []

        def work(grader: Grader) -> None:
            if not options.json:
                grader.on_progress = _live(options).tell
            grader.compare = options.compare
            grader.core = HERE
            found.append(grader.grade(submission, names))

        session.run(work)
    return _said(course, found[0], options)


def _live(options: Options) -> Live:
    """Progress of a lab goes beside the report, not into it."""
    from grader.commands.console import make_console

    console = make_console(options.plain, stderr=True)
    return Live(partial(console.print, style="dim", soft_wrap=True))


def _answered(course: Course, names: list[str], options: Options) -> int:
    """The sheets of quizzes alone: nothing has to be started for them."""
    from grader.quiz.marking import form_of
    from grader.results import SubmissionResult

    submission = read_own(course, options)
    result = SubmissionResult(submission.id, "graded", Decimal(0), Decimal(0))
    result.warnings = list(submission.warnings)
    for name in names:
        exercise = course.exercises[name]
        result.exercises[name] = form_of(course, exercise, submission)
    return _said(course, result, options)


def _said(course: Course, result: SubmissionResult, options: Options) -> int:
    """Show the result; the exit code."""
    _show(course, result, options)
    if result.status == "grader_error":
        return 3
    statuses = {e.status for e in result.exercises.values()}
    return 0 if statuses == {"passed"} else 1


def read_own(course: Course, options: Options) -> Submission:
    """The one hand-in in the exercises' folder, or in ``options.file``.

    Raises:
        UsageError: there is none, or more than one.
    """
    from grader.intake import read

    path = options.file or course.folder("exercises")
    if not path.exists():
        raise UsageError(f"{path} does not exist; name what to check with --file.")
    asks = {e.name: e.asks for e in course.exercises.values()}
    intake = read([path], list(course.exercises), asks=asks, quizzes=course.quizzes)
    if len(intake.submissions) != 1:
        raise UsageError(
            f"{path} holds {len(intake.submissions)} hand-ins; name one with --file, "
            "or use grade for many."
        )
    submission = intake.submissions[0]
    if submission.error:
        raise UsageError(f"{path}: {submission.error}")
    # On one's own machine every file beside is expected; only guesses matter.
    submission.unused = []
    return submission


def _show(course: Course, result: SubmissionResult, options: Options) -> None:
    from grader.results import to_json

    if options.output is not None:
        options.output.write_bytes(to_json(result) + b"\n")
    if options.github:
        _github(course, result, options)
        return
    if options.json:
        sys.stdout.buffer.write(to_json(result) + b"\n")
        return
    from grader.commands.console import make_console
    from grader.report.editions import build
    from grader.report.terminal import print_result

    console = make_console(options.plain)
    unwritten = [
        n for n, e in result.exercises.items() if e.status in ("not_written", "missing")
    ]
    if len(unwritten) == len(result.exercises) > 1:
        _welcome(course, result, console)
        return
    print_result(console, build(result, course, "student"), verbose=options.verbose)


def _github(course: Course, result: SubmissionResult, options: Options) -> None:
    """Annotations to the log, the summary where the workflow asks for it."""
    from grader.report import github
    from grader.report.editions import build

    edition = build(result, course, "student")
    folder = options.file or Path(course.folders.exercises)
    where = folder.as_posix() if folder.suffix == "" else folder.parent.as_posix()
    print("\n".join(github.error_lines(edition, where)))
    target = os.environ.get("GITHUB_STEP_SUMMARY")
    if target:
        with Path(target).open("a", encoding="utf-8") as file:
            file.write(github.summary(edition))
    passed, total = edition.count(public=True)
    print(
        _(
            "public: {passed} of {total}; hidden checks decide the rest",
            passed=passed,
            total=total,
        )
    )


def _welcome(course: Course, result: SubmissionResult, console) -> None:  # type: ignore[no-untyped-def]
    """Nothing is written yet: no table of failures, but where to start."""
    total = len(result.exercises)
    first = next(iter(result.exercises))
    folder = course.folders.exercises
    said = f"0 of {total} exercises are written so far. A good place to start:"
    console.print(sentence(said))
    console.print(sentence(f"  open {folder}/{first}.py, fill in its TODOs, then run"))
    made = shutil.which("make") and (course.root / "Makefile").exists()
    command = f"make check EX={first}" if made else f"python -m grader check {first}"
    console.print(f"  {command}", style="bold")
