"""What a course's author runs: proofs, releases, new parts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from grader.cli.options import (
    COURSE,
    CourseOption,
    JsonOption,
    LangOption,
    in_language,
    root_of,
)
from grader.errors import UsageError


def validate(
    exercises: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...")] = None,
    course: CourseOption = Path(),
    seeds: Annotated[int, typer.Option(min=1, help="Seeds to try each with.")] = 5,
    extra: Annotated[
        Path | None, typer.Option(help="Folder of outside variants (manifest.json).")
    ] = None,
    isolation: Annotated[str, typer.Option(help="Level to run at.")] = "none",
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, help="Processes; 0: one per core.")
    ] = 0,
    json: JsonOption = False,
) -> None:
    """Prove the suites: references, skeletons, variants, named mistakes."""
    from grader.commands import validate as command

    options = command.Options(
        exercises or [], seeds, extra, isolation, json, jobs or os.cpu_count() or 1
    )
    raise typer.Exit(command.run(root_of(course), options))


def release(
    what: Annotated[
        str, typer.Argument(help="student or gradescope.", metavar="[WHAT]")
    ] = "student",
    out: Annotated[Path, typer.Option(help="Folder to write into.")] = Path("dist"),
    course: CourseOption = Path(),
    without_names: Annotated[
        bool,
        typer.Option("--without-names", help="Leave out the answers of the mistakes."),
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, help="Processes; 0: one per core.")
    ] = 0,
    json: JsonOption = False,
    lang: LangOption = "",
) -> None:
    """Write the student bundle, or Gradescope's autograder."""
    from grader.commands import release as command

    with in_language(lang, course):
        if what == "gradescope":
            raise typer.Exit(command.gradescope(root_of(course), out, json))
        if what != "student":
            raise UsageError(f"release student or gradescope, not {what!r}.")
        jobs = jobs or os.cpu_count() or 1
        raise typer.Exit(command.run(root_of(course), out, without_names, jobs, json))


new = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")


@new.command("course")
def new_course(
    folder: Annotated[Path, typer.Argument(help="A folder that is new or empty.")],
    old: Annotated[
        Path | None,
        typer.Option("--from", help="Last year's course: all but its dates is kept."),
    ] = None,
    libraries: Annotated[
        str, typer.Option(help="What exercises work with: torch, numpy.")
    ] = "torch,numpy",
    json: JsonOption = False,
) -> None:
    """Make a course with one exercise, or next year's of another."""
    from grader.commands import new as command

    raise typer.Exit(command.course(folder, old, libraries, json))


@new.command("exercise")
def new_exercise(
    name: Annotated[str, typer.Argument(help="The name of its module.")],
    course: CourseOption = Path(),
    json: JsonOption = False,
) -> None:
    """Make skeleton, solution, suites, a mistake and texts of an exercise."""
    from grader.commands import new as command

    raise typer.Exit(command.exercise(root_of(course), name, json))


def add_to(app: typer.Typer) -> None:
    """Make these commands part of ``app``."""
    commands: list[Any] = [validate, release]
    for command in commands:
        app.command(rich_help_panel=COURSE)(command)
    title = "A new course or exercise, whole."
    app.add_typer(new, name="new", help=title, rich_help_panel=COURSE)
