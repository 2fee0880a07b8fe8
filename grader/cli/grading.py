"""``grade`` and what shows its results."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from grader.cli.options import (
    GRADING,
    AnonymousOption,
    CourseOption,
    DryRunOption,
    JsonOption,
    LangOption,
    OutOption,
    PlainOption,
    SectionOption,
    in_language,
    root_of,
)

OUT = Path("out")
Submission = Annotated[str, typer.Argument(metavar="ID", help="Of the submission.")]


def grade(
    out: Annotated[Path, typer.Option(help="Folder for results and reports.")],
    paths: Annotated[
        list[Path] | None, typer.Argument(help="What was handed in.")
    ] = None,
    course: CourseOption = Path(),
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, help="Sessions; 0: one per core.")
    ] = 0,
    isolation: Annotated[
        str, typer.Option(help="full, partial, minimal, none; default: the best here.")
    ] = "",
    layout: Annotated[
        str, typer.Option(help="Force how the hand-ins are laid out.")
    ] = "",
    only: Annotated[
        list[str] | None, typer.Option(help="Only this submission (repeatable).")
    ] = None,
    exercise: Annotated[
        list[str] | None, typer.Option(help="Only this exercise (repeatable).")
    ] = None,
    regrade: Annotated[
        bool, typer.Option("--regrade", help="Run again what is known already.")
    ] = False,
    new_seed: Annotated[
        bool, typer.Option("--new-seed", help="Draw new inputs from now on.")
    ] = False,
    assignment: Annotated[
        str, typer.Option(help="Whose dates and exercises (course.toml) hold.")
    ] = "",
    roster: Annotated[
        Path | None, typer.Option(help="The class: CSV of Canvas, Moodle, or own.")
    ] = None,
    times: Annotated[
        Path | None, typer.Option(help="CSV of id and time, where downloads lack it.")
    ] = None,
    stored: Annotated[
        bool, typer.Option("--stored", help="Grade the files kept in the gradebook.")
    ] = False,
    never_lower: Annotated[
        bool, typer.Option("--never-lower", help="Keep the better of old and new.")
    ] = False,
    scheduler: Annotated[
        str, typer.Option(help="Address of a Dask scheduler to grade on.")
    ] = "",
    dry_run: DryRunOption = False,
    json: JsonOption = False,
    plain: PlainOption = False,
    lang: LangOption = "",
) -> None:
    """Grade what a class handed in, and write reports."""
    from grader.commands import grade as command
    from grader.commands.grade_options import Options

    options = Options(
        paths=paths or [],
        out=out,
        jobs=jobs or os.cpu_count() or 1,
        isolation=isolation,
        layout=layout or None,
        only=only or [],
        exercises=exercise or [],
        regrade=regrade,
        new_seed=new_seed,
        scheduler=scheduler,
        assignment=assignment,
        roster=roster,
        times=times,
        stored=stored,
        never_lower=never_lower,
        dry_run=dry_run,
        json=json,
        plain=plain,
    )
    with in_language(lang, course):
        raise typer.Exit(command.run(root_of(course), options))


def report(
    out: Annotated[Path, typer.Argument(help="Folder that grade wrote.")],
    only: Annotated[
        list[str] | None, typer.Option(help="Only this submission (repeatable).")
    ] = None,
    section: SectionOption = "",
    anonymous: AnonymousOption = False,
    course: CourseOption = Path(),
    dry_run: DryRunOption = False,
    json: JsonOption = False,
    plain: PlainOption = False,
    lang: LangOption = "",
) -> None:
    """Write the reports anew from the gradebook, or print one."""
    from grader.commands import report as command

    options = command.Options(out, only or [], section, anonymous, dry_run, plain, json)
    with in_language(lang, course):
        raise typer.Exit(command.run(root_of(course), options))


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


def add_to(app: typer.Typer) -> None:
    """Make these commands part of ``app``."""
    commands: list[Any] = [grade, report, grades, diff, rerun]
    for command in commands:
        app.command(rich_help_panel=GRADING)(command)
