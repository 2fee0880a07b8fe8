"""``grade``: intake, batch, reports, in the order in which nothing can be lost."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.batch import Backend, BatchSummary, Done, Drained, grade_batch
from grader.commands.console import print_json
from grader.commands.feedback import since_published
from grader.commands.grade_input import earlier_attempts, prepare, read_intake
from grader.commands.grade_options import BOOK, Options
from grader.commands.pages import EarlyReports, write_all
from grader.course import Course
from grader.gradebook import Gradebook, New
from grader.semester.assignment import exercises
from grader.semester.deciding import DRY
from grader.submission import Submission

if TYPE_CHECKING:
    from rich.console import Console

RESULTS = "results.jsonl"


def grade_class(
    course: Course,
    options: Options,
    level: str,
    console: Console,
    backend: Callable[[], Backend] | None,
) -> int:
    """Grade what was handed in, into the gradebook and the pages.

    Args:
        course: whose exercises.
        options: what was asked for.
        level: of isolation.
        console: what is said meanwhile.
        backend: makes the sessions; None: as many as are needed, once they are.

    Returns:
        0 done (also with unreadable rows), 3 when some row is a grader error, 130
        when it was interrupted.
    """
    intake = read_intake(course, options, console)
    options.out.mkdir(parents=True, exist_ok=True)
    with Gradebook.open(options.out / BOOK) as book:
        with book.trial(dry=False):
            submissions = prepare(course, book, intake, options, console)
            if options.new_seed:
                book.new_seed()
            if options.never_lower:
                _never_lower(book)
        early = EarlyReports(course, book, options.out)
        desk = _Desk(course, book, options, level, console, early, backend)
        return _graded(desk, submissions)


@dataclass
class _Desk:
    """What one call of ``grade`` works with."""

    course: Course
    book: Gradebook
    options: Options
    level: str
    console: Console
    early: EarlyReports
    backend: Callable[[], Backend] | None


def _graded(desk: _Desk, submissions: list[Submission]) -> int:
    """Grade them, and bring pages up to date; the exit code."""
    book, options, console = desk.book, desk.options, desk.console
    summary, touched = _batch(desk, submissions)
    for attempts in earlier_attempts(book, options):
        if summary.interrupted:
            break
        console.print(f"earlier attempts: {len(attempts)}")
        more, changed = _batch(desk, attempts, earlier=True)
        more.grader_errors += summary.grader_errors
        summary, touched = more, touched | changed
    write_all(
        desk.course,
        book,
        options.out,
        touched,
        console,
        quiet=options.json,
        early=desk.early.written,
    )
    told = since_published(book)
    if options.json:
        for line in book.lines():
            sys.stdout.buffer.write(line + b"\n")
    if summary.message:
        console.print(summary.message)
    if told:
        console.print(told, soft_wrap=True)
    if summary.interrupted:
        return 130
    return 3 if summary.grader_errors else 0


def dry_run(course: Course, options: Options, console: Console) -> int:
    """Say what would be graded, with the dates and people as they would be; 0."""
    intake = read_intake(course, options, console)
    with tempfile.TemporaryDirectory() as folder:
        book = options.out / BOOK
        # Where no gradebook is yet, none is made.
        path = book if book.exists() else Path(folder) / BOOK
        with Gradebook.open(path) as gradebook, gradebook.trial():
            submissions = prepare(course, gradebook, intake, options, console)
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


def _never_lower(gradebook: Gradebook) -> None:
    """From here on no score falls below what counts now."""
    since = gradebook.newest_grading()
    gradebook.decide(New("never_lower", "grade --never-lower", {"since": since}))


def _batch(
    desk: _Desk, submissions: list[Submission], earlier: bool = False
) -> tuple[BatchSummary, set[str]]:
    from grader.report.progress import progress

    course, book, options = desk.course, desk.book, desk.options
    touched: set[str] = set()
    total = len(options.only) or len(submissions)

    def grade(show: Callable[[Any], None]) -> BatchSummary:
        def on_result(done: Done, _: BatchSummary) -> None:
            if done.changed:
                touched.add(done.submission)
                desk.early.write(done.submission)
            show(done)

        return grade_batch(
            Drained(submissions),
            course,
            book,
            jobs=min(options.jobs, total),
            backend=desk.backend,
            regrade=options.regrade,
            only=options.only,
            exercises=exercises(course, book, options.exercises),
            isolation=desk.level,
            on_result=on_result,
            results=options.out / RESULTS,
            arguments=sys.argv[1:],
            earlier=earlier,
        )

    if total == 1 or options.json:
        return grade(lambda done: None), touched
    with progress(desk.console, total) as tally:
        return grade(tally.advance), touched
