"""The command line: parse, call, choose the exit code. No work is done here.

Exit codes: 0 done (``check``: all passed; ``grade``: also with unreadable rows),
1 checks failed, 2 usage or unreadable input, 3 some submission is a grader error.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from grader import cli_semester
from grader.cli_faults import refused_path
from grader.cli_options import (
    CHECKING,
    COURSE,
    GRADING,
    HANDING_BACK,
    AnonymousOption,
    CourseOption,
    DryRunOption,
    JsonOption,
    LangOption,
    PlainOption,
    SectionOption,
    in_language,
    root_of,
)
from grader.errors import GraderError, UsageError

app = typer.Typer(
    name="grader",
    help="Split grading for exercises: the judge never runs student code.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)

FreshOption = Annotated[
    bool,
    typer.Option(
        "--fresh-worker",
        help="Start the worker anew instead of forking it (always, but on Linux).",
    ),
]


@app.command(rich_help_panel=CHECKING)
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


@app.command(rich_help_panel=GRADING)
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

    options = command.Options(
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


@app.command(rich_help_panel=COURSE)
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


@app.command(rich_help_panel=GRADING)
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


@app.command(rich_help_panel=HANDING_BACK)
def export(
    format: Annotated[
        str, typer.Argument(help="csv, json, canvas, moodle, gradescope or junit.")
    ],
    out: Annotated[Path, typer.Argument(help="Folder that grade wrote.")],
    to: Annotated[Path | None, typer.Option(help="Where to write.")] = None,
    gradebook: Annotated[
        Path | None, typer.Option(help="canvas: the gradebook that it exported.")
    ] = None,
    assignment: Annotated[
        str, typer.Option(help="canvas: the column to fill, by title or number.")
    ] = "",
    worksheet: Annotated[
        Path | None, typer.Option(help="moodle: the grading worksheet to fill.")
    ] = None,
    rescale: Annotated[
        bool, typer.Option("--rescale", help="Turn points into the column's maximum.")
    ] = False,
    hidden: Annotated[
        str, typer.Option(help="gradescope: visibility of hidden checks.")
    ] = "after_published",
    section: SectionOption = "",
    anonymous: AnonymousOption = False,
    course: CourseOption = Path(),
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Write the grades in the form that another system reads."""
    from grader.commands import export as command

    options = command.Options(
        format=format,
        out=out,
        to=to,
        gradebook=gradebook,
        assignment=assignment,
        worksheet=worksheet,
        rescale=rescale,
        hidden=hidden,
        section=section,
        anonymous=anonymous,
        dry_run=dry_run,
        json=json,
    )
    raise typer.Exit(command.run(root_of(course), options))


@app.command(rich_help_panel=CHECKING)
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


@app.command(rich_help_panel=CHECKING)
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


@app.command(rich_help_panel=CHECKING)
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


@app.command(rich_help_panel=COURSE)
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


@app.command(rich_help_panel=CHECKING)
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


new = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")
app.add_typer(
    new, name="new", help="A new course or exercise, whole.", rich_help_panel=COURSE
)


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


@app.command(rich_help_panel=CHECKING)
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


cli_semester.add_to(app)


def main() -> int:
    """Entry point: every error of ours becomes one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A console in cp936 or cp1252 lacks letters: "?" is better than no report.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        # Outside of its standalone mode the parser returns what Exit carried.
        return int(app(standalone_mode=False) or 0)
    except GraderError as e:
        print(f"grader: error: {e}", file=sys.stderr)
        return 2 if refused_path(e, sys.argv[1:]) else e.exit_code
    except typer.Abort:
        return 130
    except KeyboardInterrupt:
        print("grader: stopped.", file=sys.stderr)
        return 130
    except Exception as e:
        return _unforeseen(e)


def _unforeseen(error: Exception) -> int:
    """Usage errors of the parser, and faults of ours that nobody foresaw."""
    lacking = str(getattr(error, "name", "") or "")
    if isinstance(error, ImportError) and lacking.startswith("grader."):
        print(
            "grader: error: this command is no part of the student bundle; it needs "
            "the whole project.",
            file=sys.stderr,
        )
        return 2
    show = getattr(error, "format_message", None)
    if show is not None:  # click's own exceptions: a wrong option, a missing one
        print(f"grader: error: {show()}", file=sys.stderr)
        print("Try: python -m grader --help", file=sys.stderr)
        return 2
    refused = refused_path(error, sys.argv[1:])
    if refused:
        print(f"grader: error: {refused}", file=sys.stderr)
        return 2
    if os.environ.get("GRADER_TRACEBACK"):
        raise error
    print(
        f"grader: error: a fault of the grader itself, {type(error).__name__}: "
        f"{error}. Nothing was lost; set GRADER_TRACEBACK=1 to see where.",
        file=sys.stderr,
    )
    return 3
