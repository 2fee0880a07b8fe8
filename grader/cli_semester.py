"""The commands of a semester: parse and call, as in ``grader.cli``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from grader.cli_options import (
    CORRECTING,
    GRADING,
    HANDING_BACK,
    AnonymousOption,
    CourseOption,
    DryRunOption,
    JsonOption,
    LangOption,
    OutOption,
    PlainOption,
    ReasonOption,
    SectionOption,
    root_of,
)

OUT = Path("out")
Submission = Annotated[str, typer.Argument(metavar="ID", help="Of the submission.")]
ExerciseName = Annotated[str, typer.Argument(metavar="EXERCISE")]


def grades(
    out: OutOption = OUT,
    section: SectionOption = "",
    status: Annotated[
        str, typer.Option(help="graded, missing, unreadable or grader_error.")
    ] = "",
    exercise: Annotated[
        list[str] | None, typer.Option(help="Show this exercise (repeatable).")
    ] = None,
    below: Annotated[
        float | None, typer.Option(help="Only below this share, in percent.")
    ] = None,
    late: Annotated[bool, typer.Option("--late", help="Only what came late.")] = False,
    search: Annotated[
        str, typer.Option(help="Part of an id, a name, an address.")
    ] = "",
    sort: Annotated[str, typer.Option(help="id, name, score or late.")] = "id",
    anonymous: AnonymousOption = False,
    course: CourseOption = Path(),
    json: JsonOption = False,
    plain: PlainOption = False,
) -> None:
    """Print the grades as a table, filtered."""
    from grader.commands import grades as command

    options = command.Options(
        root_of(course), out, False, json, plain,
        section=section, status=status, exercises=exercise or [], below=below,
        late=late, search=search, sort=sort, anonymous=anonymous,
    )  # fmt: skip
    raise typer.Exit(command.run(options))


def diff(
    old: Annotated[str, typer.Argument(help="A run's number, or published.")],
    new: Annotated[str, typer.Argument(help="A run's number, published, now.")] = "now",
    out: OutOption = OUT,
    section: SectionOption = "",
    anonymous: AnonymousOption = False,
    course: CourseOption = Path(),
    json: JsonOption = False,
    plain: PlainOption = False,
) -> None:
    """List every score that differs between two runs, or since publication."""
    from grader.commands import diff as command

    options = command.Options(
        root_of(course), out, False, json, plain,
        old=old, new=new, section=section, anonymous=anonymous,
    )  # fmt: skip
    raise typer.Exit(command.run(options))


def rerun(
    submission: Submission,
    exercise: Annotated[str, typer.Option(help="The exercise to run again.")],
    out: OutOption = OUT,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Passed checks and output too.")
    ] = False,
    open_file: Annotated[
        bool, typer.Option("--open", help="Open the file in $VISUAL or $EDITOR.")
    ] = False,
    isolation: Annotated[
        str, typer.Option(help="full, partial, minimal, none; default: the best here.")
    ] = "",
    course: CourseOption = Path(),
    json: JsonOption = False,
    plain: PlainOption = False,
) -> None:
    """Reproduce one verdict from the stored files and seed; nothing is recorded."""
    from grader.commands import rerun as command

    options = command.Options(
        root_of(course), out, False, json, plain,
        submission=submission, exercise=exercise, verbose=verbose, open=open_file,
        isolation=isolation,
    )  # fmt: skip
    raise typer.Exit(command.run(options))


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


def feedback(
    format: Annotated[
        str, typer.Argument(help="folder, moodle, canvas or markdown.")
    ] = "folder",
    out: OutOption = OUT,
    to: Annotated[Path | None, typer.Option(help="Where to write.")] = None,
    section: SectionOption = "",
    lang: LangOption = "",
    course: CourseOption = Path(),
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Write the student editions as an LMS or a repository takes them."""
    from grader.commands import feedback as command

    options = command.Options(
        root_of(course), out, dry_run, json,
        format=format, to=to, section=section, lang=lang,
    )  # fmt: skip
    raise typer.Exit(command.run(options))


def publish(
    reason: ReasonOption = "",
    out: OutOption = OUT,
    section: SectionOption = "",
    lang: LangOption = "",
    course: CourseOption = Path(),
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Freeze what is handed back, so that later runs say what changed since."""
    from grader.commands import feedback as command

    options = command.Options(
        root_of(course), out, dry_run, json,
        section=section, reason=reason, lang=lang,
    )  # fmt: skip
    raise typer.Exit(command.publish(options))


def purge(
    before: Annotated[str, typer.Option(help="A day, like 2027-04-01.")],
    reason: ReasonOption = "",
    out: OutOption = OUT,
    course: CourseOption = Path(),
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Remove everybody last graded before a day; keep anonymous counts."""
    from grader.commands import purge as command

    options = command.Options(
        root_of(course), out, dry_run, json, before=before, reason=reason
    )
    raise typer.Exit(command.run(options))


def add_to(app: typer.Typer) -> None:
    """Make the commands of a semester part of ``app``, in the help's groups."""
    groups: dict[str, list[Any]] = {
        GRADING: [grades, diff, rerun],
        CORRECTING: [extend, void, adjust, comment, alias, log, undo],
        HANDING_BACK: [feedback, publish, purge],
    }
    # "-3" is a number of points here, and no option.
    numbers = {"ignore_unknown_options": True}
    for group, commands in groups.items():
        for command in commands:
            settings = numbers if command is adjust else None
            app.command(rich_help_panel=group, context_settings=settings)(command)
