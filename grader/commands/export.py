"""``export``: the gradebook in the form that another system reads."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from grader.commands.console import make_console
from grader.commands.report import BOOK
from grader.course import load_course
from grader.errors import UsageError
from grader.gradebook import Gradebook

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
    with Gradebook.open(path) as book:
        report = module.export(
            book.results(), course, target, people=book.people(), **_extra(options)
        )
    if options.json:
        sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
        return 0
    console = make_console()
    for line in report.lines():
        console.print(line, soft_wrap=True)
    return 0


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
