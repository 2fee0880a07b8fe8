"""grades.csv: one row a submission, one column an exercise."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable
from pathlib import Path

from grader.atomic import replacing
from grader.course import Course
from grader.exports.common import ExportReport, People, cell, person, points_text
from grader.results import SubmissionResult

FIRST = ["submission", "name", "email", "status", "score", "max_score"]
# Columns on lateness, by what a result calls them.
LATE = {
    "submitted_at": "submitted_at",
    "marked_late": "marked_late",
    "days": "days_late",
}
LAST = ["raw_score", "section"]


def export(
    results: Iterable[SubmissionResult],
    course: Course,
    out: Path,
    *,
    people: People | None = None,
) -> ExportReport:
    """Write ``out``: UTF-8 with a byte order mark, so that Excel reads names right."""
    report = ExportReport(out)
    with replacing(out) as file:
        file.write(codecs.BOM_UTF8)
        file.write(_line([*FIRST, *course.exercises, *LATE.values(), *LAST]))
        for result in results:
            report.look_at(result)
            report.written += result.score is not None
            file.write(_line(_cells(result, course, people or {})))
    return report


def _cells(result: SubmissionResult, course: Course, people: People) -> list[str]:
    who = person(people, result)
    late = result.late or {}
    told = [late.get(name) for name in LATE]
    scores = [
        points_text(result.exercises[name].score) if name in result.exercises else ""
        for name in course.exercises
    ]
    if result.status != "graded":
        scores = [""] * len(scores)
    return [
        *(cell(text) for text in (result.submission, who.name, who.email)),
        result.status,
        points_text(result.score),
        points_text(result.max_score),
        *scores,
        *("" if value is None else cell(str(value)) for value in told),
        points_text(result.raw_score),
        cell(who.section),
    ]


def _line(cells: list[str]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerow(cells)
    return stream.getvalue().encode("utf-8", "backslashreplace")
