"""results.json as Gradescope reads it, one file a submission."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from grader.atomic import write_atomically
from grader.course import Course
from grader.errors import UsageError
from grader.exports.common import ExportReport, People
from grader.exports.feedback import check_lines, edition_of
from grader.report.views import CheckView, ExerciseView
from grader.results import SubmissionResult, round_points
from grader.semester.folders import replacing_folder

VISIBILITIES = ("hidden", "after_due_date", "after_published", "visible")


def results_json(
    result: SubmissionResult, course: Course, *, hidden: str = "after_published"
) -> dict[str, Any]:
    """The content of one results.json, from the student's edition alone.

    The score at the top overrides the sum of the tests: it is ours that counts.
    """
    edition = edition_of(result, course)
    tests = [
        _test(exercise, number, check, hidden)
        for exercise in edition.exercises
        for number, check in enumerate(exercise.checks, start=1)
    ]
    passed, public = edition.count(True)
    return {
        "score": _points(result.score or Decimal(0)),
        "execution_time": round(result.wall_s, 2),
        "output": f"Public checks: {passed} of {public} passed. Hidden checks decide "
        "about the rest.",
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def _test(
    exercise: ExerciseView, number: int, check: CheckView, hidden: str
) -> dict[str, Any]:
    return {
        "name": f"{exercise.title}: {check.title}",
        "number": f"{exercise.name}.{number}",
        "score": _points(check.points),
        "max_score": _points(check.max_points),
        "status": "passed" if check.passed else "failed",
        "output": "\n".join(check_lines(check)[1:]),
        "visibility": "visible" if check.public else hidden,
    }


def _points(points: Decimal) -> float:
    # JSON numbers are all that Gradescope takes; rounded once, here.
    return float(round_points(points))


def export(
    results: Iterable[SubmissionResult],
    course: Course,
    out: Path,
    *,
    people: People | None = None,
    hidden: str = "after_published",
) -> ExportReport:
    """Write one file when ``out`` ends in .json, else ``out/<id>.json`` for each.

    The folder holds these files alone: none is left of an earlier export.

    A grader error writes nothing: Gradescope then says that the autograder
    failed, and gives no score.

    Raises:
        UsageError: ``hidden`` is no visibility, or one file is to hold many.
    """
    if hidden not in VISIBILITIES:
        raise UsageError(f"hidden is one of {', '.join(VISIBILITIES)}, not {hidden!r}.")
    report = ExportReport(out)
    scored = _scored(results, report)
    if out.suffix == ".json":
        for content in _only_one(scored, course, hidden, out):
            write_atomically(out, content)
        return report
    used: set[str] = set()
    with replacing_folder(out) as folder:
        for result in scored:
            path = folder / f"{_unused(result.submission, used)}.json"
            path.write_bytes(_document(result, course, hidden))
    return report


def _scored(
    results: Iterable[SubmissionResult], report: ExportReport
) -> Iterator[SubmissionResult]:
    """Those that have a score; the others are listed."""
    for result in results:
        report.look_at(result)
        if result.score is not None:
            report.written += 1
            yield result


def _only_one(
    scored: Iterator[SubmissionResult], course: Course, hidden: str, out: Path
) -> list[bytes]:
    """The document of the only result, if there is one."""
    found = [_document(result, course, hidden) for result in islice(scored, 2)]
    if len(found) > 1:
        raise UsageError(f"{out} holds one submission; name a folder for many.")
    return found


def _document(result: SubmissionResult, course: Course, hidden: str) -> bytes:
    content = results_json(result, course, hidden=hidden)
    return msgspec.json.format(msgspec.json.encode(content))


def _unused(submission: str, used: set[str]) -> str:
    """A file name that differs from all others, also where case does not count."""
    name = base = safe_name(submission)
    number = 1
    while name.casefold() in used:
        number += 1
        name = f"{base}~{number}"
    used.add(name.casefold())
    return name


def safe_name(submission: str) -> str:
    """An id as a file name: nothing in it leads out of its folder."""
    kept = "".join(c if c.isalnum() or c in "-_.~ @+" else "_" for c in submission)
    return kept.lstrip(".") or "_"
