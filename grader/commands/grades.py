"""``grades``: the class as a table, filtered."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import msgspec
from rich.table import Table as Grid
from rich.text import Text

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook import Gradebook, Person
from grader.report import words
from grader.results import SubmissionResult
from grader.semester import sections
from grader.semester.anonymous import Codes
from grader.semester.deciding import Common, console, opened

SORTS = ("id", "name", "score", "late")


@dataclass
class Options(Common):
    """What was asked for. ``below``: percent of the maximum."""

    section: str = ""
    status: str = ""
    exercises: list[str] = field(default_factory=list)
    below: float | None = None
    late: bool = False
    search: str = ""
    sort: str = "id"
    anonymous: bool = False


class Row(msgspec.Struct):
    """One submission as the table shows it."""

    submission: str
    name: str
    section: str
    status: str
    score: Decimal | None
    max_score: Decimal
    raw_score: Decimal | None
    days_late: int | None
    submitted_at: str | None
    exercises: dict[str, Decimal]


def run(options: Options) -> int:
    """Print the table; always 0."""
    if options.sort not in SORTS:
        raise UsageError(f"--sort is one of {', '.join(SORTS)}.")
    screen = console(options)
    with opened(options) as (course, book):
        course.select(options.exercises)
        found = [row for row in rows(book, options) if _wanted(row, options)]
    found.sort(key=lambda row: _key(row, options.sort))
    if options.json:
        sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
        return 0
    grid = _grid(found, course, options.exercises)
    with screen.capture() as caught:
        screen.print(grid)
    for line in caught.get().splitlines():
        screen.out(line.rstrip(), highlight=False)
    screen.print(f"{len(found)} submissions.")
    return 0


def rows(book: Gradebook, options: Options) -> Iterator[Row]:
    """Every submission of the section, under codes when that was asked for."""
    people = book.people()
    results = sections.only(book.results(), people, options.section)
    if options.anonymous:
        codes = Codes(book)
        people, results = codes.people(), codes.results(results)
    for result in results:
        yield _row(result, people.get(result.submission, Person(result.submission)))


def _row(result: SubmissionResult, person: Person) -> Row:
    late = result.late or {}
    return Row(
        submission=result.submission,
        name="" if person.name == result.submission else person.name,
        section=person.section,
        status=result.status,
        score=result.score,
        max_score=result.max_score,
        raw_score=result.raw_score,
        days_late=late.get("days"),
        submitted_at=late.get("submitted_at"),
        exercises={name: e.score for name, e in result.exercises.items()},
    )


def _wanted(row: Row, options: Options) -> bool:
    if options.status and row.status != options.status:
        return False
    if options.late and not row.days_late:
        return False
    if options.below is not None:
        most = row.max_score * Decimal(str(options.below)) / 100
        if (row.score or Decimal(0)) >= most:
            return False
    text = f"{row.submission} {row.name}".casefold()
    return options.search.casefold() in text


def _key(row: Row, sort: str) -> Any:
    if sort == "score":
        return (-(row.score if row.score is not None else Decimal(-1)), row.submission)
    if sort == "late":
        return (-(row.days_late or 0), row.submission)
    return (row.name.casefold() if sort == "name" else "", row.submission)


def _grid(found: list[Row], course: Course, exercises: list[str]) -> Grid:
    grid = Grid(box=None, pad_edge=False, show_edge=False, header_style="bold")
    grid.add_column("submission", overflow="fold")
    grid.add_column("name", overflow="fold")
    sections = any(row.section for row in found)
    if sections:
        grid.add_column("section")
    grid.add_column("status")
    for title in ("score", "of", "before lateness", "days late"):
        grid.add_column(title, justify="right")
    for name in exercises:
        grid.add_column(name, justify="right")
    for row in found:
        cells = [words.person(row.submission), words.person(row.name)]
        cells += [words.person(row.section)] if sections else []
        cells += [words.SUBMISSION_WORDS.get(row.status, row.status)]
        cells += [words.points(row.score), words.points(row.max_score)]
        same = row.raw_score == row.score
        cells += ["" if same else words.points(row.raw_score)]
        cells += [str(row.days_late) if row.days_late else ""]
        cells += [words.points(row.exercises.get(name)) for name in exercises]
        grid.add_row(*map(Text, cells))
    return grid
