"""``check`` and what else one does with one's own exercises."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from grader.cli.options import (
    CHECKING,
    CourseOption,
    JsonOption,
    LangOption,
    PlainOption,
    in_language,
    root_of,
)

FreshOption = Annotated[
    bool,
    typer.Option(
        "--fresh-worker",
        help="Start the worker anew instead of forking it (always, but on Linux).",
    ),
]


def check(
    exercises: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...")] = None,
    course: CourseOption = Path(),
    file: Annotated[
        Path | None, typer.Option(help="Check this file or folder instead.")
    ] = None,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Also the hidden checks, if they are here.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="List passed checks and output too.")
    ] = False,
    compare: Annotated[
        bool, typer.Option("--compare", help="Also what a lab compares (slow).")
    ] = False,
    fresh_worker: FreshOption = False,
    github: Annotated[
        bool, typer.Option("--github", help="Annotations and summary of a workflow.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option(help="Also write the result there, as JSON.")
    ] = None,
    json: JsonOption = False,
    plain: PlainOption = False,
    lang: LangOption = "",
) -> None:
    """Run the checks on your own exercises."""
    from grader.commands import check as command

    options = command.Options(
        exercises or [],
        file,
        hidden,
        verbose,
        json,
        plain,
        fresh_worker,
        compare,
        github,
        output,
    )
    with in_language(lang, course):
        raise typer.Exit(command.run(root_of(course), options))


def doctor(
    student: Annotated[
        bool, typer.Option("--student", help="A block to paste when asking for help.")
    ] = False,
    course: CourseOption = Path(),
    json: JsonOption = False,
    lang: LangOption = "",
) -> None:
    """What this machine can do: isolation level, versions, what is missing."""
    from grader.commands import doctor as command

    with in_language(lang, course):
        raise typer.Exit(command.run(root_of(course), student, json))


def handin(
    course: CourseOption = Path(),
    out: Annotated[Path | None, typer.Option(help="Where to write the zip.")] = None,
    file: Annotated[
        Path | None, typer.Option(help="Hand in this file or folder instead.")
    ] = None,
    fresh_worker: FreshOption = False,
    json: JsonOption = False,
    lang: LangOption = "",
) -> None:
    """Run the public checks once more, and write the zip to hand in."""
    from grader.commands import check
    from grader.commands import handin as command

    options = check.Options([], file, False, False, json, True, fresh_worker)
    with in_language(lang, course):
        raise typer.Exit(command.run(root_of(course), options, out))


def update(
    file: Annotated[Path, typer.Argument(help="The newer bundle, a zip.")],
    course: CourseOption = Path(),
    json: JsonOption = False,
    lang: LangOption = "",
) -> None:
    """Replace checks and engine by a newer bundle's; your own files are kept."""
    from grader.commands import update as command

    with in_language(lang, course):
        raise typer.Exit(command.run(root_of(course), file, json))


def watch(
    exercises: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...")] = None,
    course: CourseOption = Path(),
    file: Annotated[
        Path | None, typer.Option(help="Watch this file or folder instead.")
    ] = None,
    fresh_worker: FreshOption = False,
    plain: PlainOption = False,
    lang: LangOption = "",
) -> None:
    """Check again on every save, until Ctrl-C."""
    from grader.commands import check
    from grader.commands import watch as command

    options = check.Options(
        exercises or [], file, False, False, False, plain, fresh_worker
    )
    with in_language(lang, course):
        raise typer.Exit(command.run(root_of(course), options))


def tables(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...")] = None,
    course: CourseOption = Path(),
    mine: Annotated[
        bool, typer.Option("--mine", help="From your own functions.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """The course's own figures beside those that the solutions give."""
    from grader.commands import tables as command

    raise typer.Exit(command.run(root_of(course), names or [], mine, json))


def add_to(app: typer.Typer) -> None:
    """Make these commands part of ``app``."""
    commands: list[Any] = [check, doctor, handin, update, watch, tables]
    for command in commands:
        app.command(rich_help_panel=CHECKING)(command)
