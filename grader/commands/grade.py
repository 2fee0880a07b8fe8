"""``grade``: intake, batch, reports, in the order in which nothing can be lost."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.batch import BatchSummary, Done, grade_batch
from grader.commands.console import make_console
from grader.commands.report import write_all
from grader.course import Course, load_course
from grader.errors import UsageError
from grader.gradebook import Gradebook
from grader.intake import Intake, read
from grader.isolation import ladder
from grader.isolation.probe import probe

if TYPE_CHECKING:
    from rich.console import Console

BOOK = "gradebook.sqlite"
RESULTS = "results.jsonl"


@dataclass
class Options:
    """What was asked for."""

    paths: list[Path]
    out: Path
    jobs: int
    isolation: str
    layout: str | None
    only: list[str]
    exercises: list[str]
    regrade: bool
    new_seed: bool
    scheduler: str
    json: bool
    plain: bool


def run(root: Path, options: Options) -> int:
    """0 done (also with unreadable rows), 3 when some row is a grader error."""
    course = load_course(root)
    course.select(options.exercises)
    console = make_console(options.plain, stderr=options.json)
    level = _level(options, console)
    intake = _intake(course, options, console)
    options.out.mkdir(parents=True, exist_ok=True)
    with Gradebook.open(options.out / BOOK) as gradebook:
        if options.new_seed:
            gradebook.new_seed()
        summary, touched = _batch(course, gradebook, intake, options, level, console)
        write_all(course, gradebook, options.out, touched, console, quiet=options.json)
        if options.json:
            for line in gradebook.lines():
                sys.stdout.buffer.write(line + b"\n")
    if summary.message:
        console.print(summary.message)
    if summary.interrupted:
        return 130
    return 3 if summary.grader_errors else 0


def _level(options: Options, console: Console) -> str:
    """The isolation level to use; said aloud, in red when there is none.

    Raises:
        IsolationError: this host gives less than minimal and nobody agreed to it.
    """
    level = ladder.choose(options.isolation or None, probe())
    if level == "none":
        console.print(
            "isolation: none. What was handed in runs with your own rights.",
            style="bold red",
        )
    else:
        console.print(f"isolation: {level}")
    return level


def _intake(course: Course, options: Options, console: Console) -> Intake:
    asks = {e.name: e.asks for e in course.exercises.values()}
    intake = read(
        options.paths,
        list(course.exercises),
        layout=options.layout,
        asks=asks,
        quizzes=course.quizzes,
    )
    console.print(intake.summary)
    for warning in intake.warnings:
        console.print(f"note: {warning}", style="yellow")
    if not intake.submissions:
        raise UsageError("there is nothing to grade; name a folder with hand-ins.")
    known = {s.id for s in intake.submissions}
    for name in options.only:
        if name not in known:
            raise UsageError(f"--only {name}: no such submission among those read.")
    return intake


def _batch(
    course: Course,
    gradebook: Gradebook,
    intake: Intake,
    options: Options,
    level: str,
    console: Console,
) -> tuple[BatchSummary, set[str]]:
    from grader.report.progress import progress

    touched: set[str] = set()
    total = len(options.only) or len(intake.submissions)

    def grade(show: Callable[[Any], None]) -> BatchSummary:
        def on_result(done: Done, _: BatchSummary) -> None:
            if done.changed:
                touched.add(done.submission)
            show(done)

        return grade_batch(
            intake.submissions,
            course,
            gradebook,
            jobs=min(options.jobs, total),
            backend=_backend(course, options, level),
            regrade=options.regrade,
            only=options.only,
            exercises=options.exercises,
            isolation=level,
            on_result=on_result,
            results=options.out / RESULTS,
            arguments=sys.argv[1:],
        )

    if total == 1 or options.json:
        return grade(lambda done: None), touched
    with progress(console, total) as tally:
        return grade(tally.advance), touched


def _backend(course: Course, options: Options, level: str) -> Any:
    if not options.scheduler:
        return None
    from grader.cluster import cluster_backend

    return cluster_backend(course, options.scheduler, isolation=level)
