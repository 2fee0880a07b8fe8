"""Dates, corrections, requests: decisions of people, logged and undone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from grader.cli.options import (
    CORRECTING,
    CourseOption,
    DryRunOption,
    JsonOption,
    OutOption,
    PlainOption,
    ReasonOption,
    root_of,
)

OUT = Path("out")
Submission = Annotated[str, typer.Argument(metavar="ID", help="Of the submission.")]
ExerciseName = Annotated[str, typer.Argument(metavar="EXERCISE")]


def extend(
    submission: Submission,
    until: Annotated[str, typer.Option(help='Deadline, like "2026-10-12 23:59".')] = "",
    days: Annotated[int, typer.Option(help="So many more days.")] = 0,
    excuse: Annotated[
        bool, typer.Option("--excuse", help="Being late costs nothing.")
    ] = False,
    time_factor: Annotated[
        str, typer.Option(help="Code of this student may run so much longer.")
    ] = "",
    reason: ReasonOption = "",
    out: OutOption = OUT,
    course: CourseOption = Path(),
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Give one student more time, or excuse them."""
    from grader.commands import extend as command

    options = command.Options(
        root_of(course), out, dry_run, json,
        submission=submission, until=until, days=days, excuse=excuse,
        time_factor=time_factor, reason=reason,
    )  # fmt: skip
    raise typer.Exit(command.run(options))


def void(
    check: Annotated[str, typer.Argument(help="CHECK, or EXERCISE/CHECK.")],
    drop: Annotated[
        bool,
        typer.Option("--drop", help="Out of the maximum, instead of points for all."),
    ] = False,
    reason: ReasonOption = "",
    out: OutOption = OUT,
    course: CourseOption = Path(),
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """A check was wrong: full points for all, or out of the maximum."""
    from grader.commands import void as command

    options = command.Options(
        root_of(course), out, dry_run, json, check=check, drop=drop, reason=reason
    )
    raise typer.Exit(command.run(options))


def adjust(
    submission: Submission,
    exercise: ExerciseName,
    points: Annotated[str, typer.Argument(help="87 sets, +5 and -3 add.")],
    reason: ReasonOption = "",
    out: OutOption = OUT,
    course: CourseOption = Path(),
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Set or change the points of one exercise by hand."""
    from grader.commands import adjust as command

    options = command.Options(
        root_of(course), out, dry_run, json,
        submission=submission, exercise=exercise, points=points, reason=reason,
    )  # fmt: skip
    raise typer.Exit(command.run(options))


def comment(
    submission: Submission,
    exercise: ExerciseName,
    text: Annotated[str, typer.Argument(help="What the student reads.")],
    out: OutOption = OUT,
    course: CourseOption = Path(),
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Write a sentence into a student's report."""
    from grader.commands import comment as command

    options = command.Options(
        root_of(course), out, dry_run, json,
        submission=submission, exercise=exercise, text=text,
    )  # fmt: skip
    raise typer.Exit(command.run(options))


def alias(
    submission: Submission,
    exercise: ExerciseName,
    pair: Annotated[
        str, typer.Argument(metavar="ASKED=FOUND", help="Name asked for, name written.")
    ],
    reason: ReasonOption = "",
    out: OutOption = OUT,
    course: CourseOption = Path(),
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Let a renamed function or class of one student count."""
    from grader.commands import alias as command

    options = command.Options(
        root_of(course), out, dry_run, json,
        submission=submission, exercise=exercise, pair=pair, reason=reason,
    )  # fmt: skip
    raise typer.Exit(command.run(options))


def log(
    submission: Annotated[
        str, typer.Argument(metavar="[ID]", help="Only what concerns this one.")
    ] = "",
    out: OutOption = OUT,
    course: CourseOption = Path(),
    json: JsonOption = False,
    plain: PlainOption = False,
) -> None:
    """Everything that was decided: when, by whom, and why."""
    from grader.commands import log as command

    options = command.Options(
        root_of(course), out, False, json, plain, submission=submission
    )
    raise typer.Exit(command.run(options))


def undo(
    number: Annotated[int, typer.Argument(help="Of the decision, as in log.")],
    reason: ReasonOption = "",
    out: OutOption = OUT,
    course: CourseOption = Path(),
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Take a decision back; both stay in the log."""
    from grader.commands import log as command

    options = command.Options(
        root_of(course), out, dry_run, json, number=number, reason=reason
    )
    raise typer.Exit(command.undo(options))


def add_to(app: typer.Typer) -> None:
    """Make these commands part of ``app``."""
    # "-3" is a number of points here, and no option.
    numbers = {"ignore_unknown_options": True}
    commands: list[Any] = [extend, void, adjust, comment, alias, log, undo]
    for command in commands:
        settings = numbers if command is adjust else None
        app.command(rich_help_panel=CORRECTING, context_settings=settings)(command)
