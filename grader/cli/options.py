"""Options that several commands share, and the course that they are about."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from grader.course import load_course
from grader.errors import GraderError
from grader.lang import choose, sentence, speaking

CourseOption = Annotated[
    Path, typer.Option("--course", help="Folder that holds course.toml.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
PlainOption = Annotated[
    bool, typer.Option("--plain", help="Plain lines, for screen readers and logs.")
]
OutOption = Annotated[Path, typer.Option("--out", help="Folder that grade wrote.")]
LangOption = Annotated[
    str, typer.Option("--lang", help="en or zh; default: what the environment says.")
]
ReasonOption = Annotated[
    str, typer.Option("--reason", help="Why; logged, and shown where it concerns.")
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Show what would happen; change nothing.")
]
SectionOption = Annotated[str, typer.Option(help="Only this section of the roster.")]
AnonymousOption = Annotated[
    bool, typer.Option("--anonymous", help="Stable codes instead of names.")
]

# Groups of commands in the help.
CHECKING, GRADING, CORRECTING, HANDING_BACK, COURSE = (
    "Checking one's own work",
    "Grading a class",
    "Dates, corrections, requests",
    "Handing back",
    "The course",
)


@contextlib.contextmanager
def in_language(lang: str, course: Path) -> Iterator[None]:
    """Speak what ``--lang`` or the environment says, errors included."""
    language = choose(lang, os.environ)
    if language == "en":
        yield
        return
    with speaking(language, load_course(root_of(course))):
        try:
            yield
        except GraderError as e:
            e.args = (sentence(str(e)),)
            raise


def course_around() -> Path:
    """The course around the working directory, or the one this file lies in."""
    for folder in (Path.cwd(), *Path.cwd().parents):
        if (folder / "course.toml").exists():
            return folder
    return Path(__file__).resolve().parents[2]


def root_of(course: Path) -> Path:
    """What ``--course`` says, or the course around."""
    return course_around() if course == Path() else course
