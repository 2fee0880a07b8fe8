"""``grade``: intake, batch, reports, in the order in which nothing can be lost."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.batch import BatchSummary, Done, grade_batch
from grader.commands.console import make_console, print_json
from grader.commands.feedback import since_published
from grader.commands.pages import EarlyReports, write_all
from grader.course import Course, load_course
from grader.errors import UsageError
from grader.gradebook import Gradebook, New
from grader.intake import Intake, read
from grader.isolation import ladder
from grader.isolation.probe import probe
from grader.semester import absent, class_intake
from grader.semester.assignment import exercises, take_dates, words
from grader.semester.deciding import DRY
from grader.semester.matching import nearest_of
from grader.submission import Submission

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
    assignment: str = ""
    roster: Path | None = None
    times: Path | None = None
    stored: bool = False
    never_lower: bool = False
    dry_run: bool = False


def run(root: Path, options: Options) -> int:
    """0 done (also with unreadable rows), 3 when some row is a grader error."""
    course = load_course(root)
    options.only = list(dict.fromkeys(options.only))
    course.select(options.exercises)
    console = make_console(options.plain, stderr=options.json)
    if options.dry_run:
        return dry_run(course, options, console)
    level = _level(options, console)
    intake = _intake(course, options, console)
    options.out.mkdir(parents=True, exist_ok=True)
    with Gradebook.open(options.out / BOOK) as gradebook:
        with gradebook.trial(dry=False):
            submissions = _prepared(course, gradebook, intake, options, console)
            if options.new_seed:
                gradebook.new_seed()
            if options.never_lower:
                _never_lower(gradebook)
        early = EarlyReports(course, gradebook, options.out)
        summary, touched = _batch(
            course, gradebook, submissions, options, level, console, early
        )
        for attempts in _earlier(gradebook, options):
            if summary.interrupted:
                break
            console.print(f"earlier attempts: {len(attempts)}")
            more, changed = _batch(
                course,
                gradebook,
                attempts,
                options,
                level,
                console,
                early,
                earlier=True,
            )
            more.grader_errors += summary.grader_errors
            summary, touched = more, touched | changed
        write_all(
            course,
            gradebook,
            options.out,
            touched,
            console,
            quiet=options.json,
            early=early.written,
        )
        told = since_published(gradebook)
        if options.json:
            for line in gradebook.lines():
                sys.stdout.buffer.write(line + b"\n")
    if summary.message:
        console.print(summary.message)
    if told:
        console.print(told, soft_wrap=True)
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


def dry_run(course: Course, options: Options, console: Console) -> int:
    """Say what would be graded, with the dates and people as they would be; 0."""
    intake = _intake(course, options, console)
    with tempfile.TemporaryDirectory() as folder:
        book = options.out / BOOK
        # Where no gradebook is yet, none is made.
        path = book if book.exists() else Path(folder) / BOOK
        with Gradebook.open(path) as gradebook, gradebook.trial():
            submissions = _prepared(course, gradebook, intake, options, console)
            told = Counter(
                "known already" if gradebook.current(s.id) else "new"
                for s in submissions
                if not options.only or s.id in options.only
            )
    counts = ", ".join(f"{count} {what}" for what, count in sorted(told.items()))
    if options.json:
        print_json({"out": options.out, "submissions": told, "dry_run": True})
    console.print(f"would grade into {options.out}: {counts}.")
    console.print(DRY)
    return 0


def _prepared(
    course: Course,
    gradebook: Gradebook,
    intake: Intake | None,
    options: Options,
    console: Console,
) -> list[Submission]:
    """Whose hand-ins these are, and the dates that hold for them."""
    changed = take_dates(course, gradebook, options.assignment)
    rules = gradebook.standing.rules
    if rules is not None and not changed:
        changed = f"assignment {rules.assignment}: {words(rules)}"
    if changed:
        console.print(changed, soft_wrap=True)
    if intake is not None and rules is not None and rules.deadline:
        console.print(intake.times, soft_wrap=True)
    found = class_intake.stored(gradebook) if intake is None else intake.submissions
    prepared = class_intake.prepare(
        gradebook, found, roster=options.roster, times=options.times
    )
    for note in prepared.notes:
        console.print(f"note: {note}", style="yellow", soft_wrap=True)
    if options.paths and not options.only:
        for note in absent.settle(gradebook, options.paths, prepared.submissions):
            console.print(f"note: {note}", style="yellow", soft_wrap=True)
    known = {s.id for s in prepared.submissions}
    for name in options.only:
        if name not in known:
            near = nearest_of(name, known)
            raise UsageError(
                f"--only {name}: no such submission among those read{near}"
            )
    return prepared.submissions


def _earlier(gradebook: Gradebook, options: Options) -> Iterator[list[Submission]]:
    """Attempts before the last, where one of them may be the best.

    One of each person at a time: a batch has an id once.
    """
    if not (options.stored and gradebook.standing.best):
        return
    left = [
        attempt
        for attempt in gradebook.earlier_attempts()
        if not options.only or attempt.id in options.only
    ]
    while left:
        turn = {attempt.id: attempt for attempt in reversed(left)}
        yield list(turn.values())
        left = [a for a in left if turn[a.id] is not a]


def _never_lower(gradebook: Gradebook) -> None:
    """From here on no score falls below what counts now."""
    since = gradebook.newest_grading()
    gradebook.decide(New("never_lower", "grade --never-lower", {"since": since}))


def _intake(course: Course, options: Options, console: Console) -> Intake | None:
    if options.stored:
        if options.paths:
            raise UsageError("--stored takes the gradebook's files; name no folder.")
        return None
    if not options.paths:
        raise UsageError("name a folder with hand-ins, or grade again with --stored.")
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
    return intake


def _batch(
    course: Course,
    gradebook: Gradebook,
    submissions: list[Submission],
    options: Options,
    level: str,
    console: Console,
    early: EarlyReports,
    earlier: bool = False,
) -> tuple[BatchSummary, set[str]]:
    from grader.report.progress import progress

    touched: set[str] = set()
    total = len(options.only) or len(submissions)

    def grade(show: Callable[[Any], None]) -> BatchSummary:
        def on_result(done: Done, _: BatchSummary) -> None:
            if done.changed:
                touched.add(done.submission)
                early.write(done.submission)
            show(done)

        return grade_batch(
            submissions,
            course,
            gradebook,
            jobs=min(options.jobs, total),
            backend=_backend(course, options, level),
            regrade=options.regrade,
            only=options.only,
            exercises=exercises(course, gradebook, options.exercises),
            isolation=level,
            on_result=on_result,
            results=options.out / RESULTS,
            arguments=sys.argv[1:],
            earlier=earlier,
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
