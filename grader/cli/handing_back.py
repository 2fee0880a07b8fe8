"""What leaves the gradebook: exports, feedback, and whom it forgets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from grader.cli.options import (
    HANDING_BACK,
    AnonymousOption,
    CourseOption,
    DryRunOption,
    JsonOption,
    LangOption,
    OutOption,
    ReasonOption,
    SectionOption,
    root_of,
)

OUT = Path("out")


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
    """Make these commands part of ``app``."""
    commands: list[Any] = [export, feedback, publish, purge]
    for command in commands:
        app.command(rich_help_panel=HANDING_BACK)(command)
