"""``export``: the gradebook in the form that another system reads."""

from __future__ import annotations

import contextlib
import importlib
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.commands.console import make_console, print_json
from grader.commands.report import BOOK
from grader.course import load_course
from grader.errors import UsageError
from grader.gradebook import Gradebook, Person
from grader.results import SubmissionResult
from grader.semester import sections
from grader.semester.anonymous import Codes
from grader.semester.deciding import DRY

FORMATS = ("csv", "json", "canvas", "moodle", "gradescope", "junit")
# The name of what is written when --to does not say.
NAMES = {
    "csv": "grades.csv",
    "json": "grades.json",
    "canvas": "canvas.csv",
    "moodle": "moodle.csv",
    "gradescope": "gradescope",
    "junit": "junit.xml",
}


@dataclass
class Options:
    """What was asked for."""

    format: str
    out: Path
    to: Path | None
    gradebook: Path | None
    assignment: str
    worksheet: Path | None
    rescale: bool
    hidden: str
    json: bool
    section: str = ""
    anonymous: bool = False
    dry_run: bool = False


def run(root: Path, options: Options) -> int:
    """0 when it was written; what is not in the file is listed."""
    course = load_course(root)
    path = options.out / BOOK
    if options.format not in FORMATS:
        raise UsageError(
            f"unknown format {options.format!r}; use {', '.join(FORMATS)}."
        )
    if not path.exists():
        raise UsageError(f"{path} does not exist; run grade --out {options.out} first.")
    target = options.to or options.out / NAMES[options.format]
    module: Any = importlib.import_module(f"grader.exports.{options.format}")
    with Gradebook.open(path) as book, _place(target, options.dry_run) as place:
        results, people = _chosen(book, options)
        report = module.export(results, course, place, people=people, **_extra(options))
        report.path = target
    if options.json:
        print_json(report)
        return 0
    console = make_console()
    for line in report.lines():
        console.print(line, soft_wrap=True)
    if options.dry_run:
        console.print(DRY)
    return 0


def _chosen(
    book: Gradebook, options: Options
) -> tuple[Iterable[SubmissionResult], dict[str, Person]]:
    """What counts, of one section or under codes when that was asked for.

    Raises:
        UsageError: a file of an LMS was asked for without names.
    """
    people = book.people()
    results = sections.only(book.results(), people, options.section)
    if not options.anonymous:
        return results, people
    if options.format in ("canvas", "moodle"):
        raise UsageError(
            f"{options.format} finds people by who they are; --anonymous is for csv, "
            "json, junit and gradescope."
        )
    codes = Codes(book)
    return codes.results(results), codes.people()


@contextlib.contextmanager
def _place(target: Path, dry_run: bool) -> Iterator[Path]:
    """Where to write: the target, or for a dry run a place that is gone after."""
    if not dry_run:
        yield target
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / target.name


def _extra(options: Options) -> dict[str, Any]:
    if options.format == "canvas":
        if options.gradebook is None or not options.assignment:
            raise UsageError(
                "canvas needs --gradebook FILE (the CSV that Canvas exported) and "
                "--assignment NAME (its column); no column is ever invented."
            )
        return {
            "gradebook": options.gradebook,
            "assignment": options.assignment,
            "rescale": options.rescale,
        }
    if options.format == "moodle":
        if options.worksheet is None:
            raise UsageError("moodle needs --worksheet FILE, the one downloaded there.")
        return {"worksheet": options.worksheet, "rescale": options.rescale}
    if options.format == "gradescope":
        return {"hidden": options.hidden}
    return {}
