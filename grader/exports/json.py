"""One JSON document with everything, for programs; the TA's eyes only."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from grader.atomic import replacing
from grader.course import Course
from grader.exports.common import ExportReport, People
from grader.results import SCHEMA, SubmissionResult, to_json


def export(
    results: Iterable[SubmissionResult],
    course: Course,
    out: Path,
    *,
    people: People | None = None,
) -> ExportReport:
    """Write ``{"schema", "course", "people", "results": [...]}``, results streamed.

    Each result has the fields of a line of results.jsonl.
    """
    report = ExportReport(out)
    head = {
        "schema": SCHEMA,
        "course": {"name": course.name, "version": course.version},
        "people": people or {},
    }
    with replacing(out) as file:
        file.write(msgspec.json.encode(head)[:-1] + b',"results":[')
        for number, result in enumerate(results):
            report.look_at(result)
            report.written += result.score is not None
            file.write((b",\n" if number else b"\n") + to_json(result))
        file.write(b"\n]}\n")
    return report
