"""The hand-ins that a call of ``grade`` means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from grader.commands.grade_options import BOOK, Options
from grader.course import Course
from grader.errors import UsageError
from grader.gradebook import Gradebook
from grader.intake import Intake, read
from grader.intake.words import listed
from grader.semester import absent, class_intake
from grader.semester.assignment import take_dates, words
from grader.semester.matching import nearest_of
from grader.submission import Submission

if TYPE_CHECKING:
    from rich.console import Console

WRITTEN = ("index.html", "reports", "results.jsonl")  # beside the gradebook


def read_intake(course: Course, options: Options, console: Console) -> Intake | None:
    """What was handed in, read and named aloud; None for what is stored.

    Raises:
        UsageError: nothing was named, or nothing is there.
    """
    _check_place(options)
    if options.stored:
        return None
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


def _check_place(options: Options) -> None:
    """Refuse what names no hand-ins, and an ``--out`` that would do harm.

    Raises:
        UsageError: one of these.
    """
    out, book = options.out, options.out / BOOK
    if options.stored and options.paths:
        raise UsageError("--stored takes the gradebook's files; name no folder.")
    if options.stored and not book.exists():
        raise UsageError(
            f"{book} does not exist, so nothing is stored; name the --out of an "
            "earlier grade."
        )
    if not (options.stored or options.paths):
        raise UsageError("name a folder with hand-ins, or grade again with --stored.")
    if out.resolve() in [path.resolve() for path in options.paths]:
        raise UsageError(
            f"{out} holds the hand-ins, and reports among them would be taken for "
            "hand-ins; name another folder with --out."
        )
    foreign = [name for name in WRITTEN if (out / name).exists()]
    if foreign and not book.exists():
        raise UsageError(
            f"{out} has no gradebook, but {listed(foreign)}, which would be "
            "overwritten; remove that, or name another folder with --out."
        )


def prepare(
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


def earlier_attempts(
    gradebook: Gradebook, options: Options
) -> Iterator[list[Submission]]:
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
