"""JUnit XML, for continuous integration: a suite an exercise, a case a check."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from grader.atomic import replacing
from grader.course import Course
from grader.exports.common import ExportReport, People
from grader.exports.feedback import check_lines, edition_of
from grader.report.views import CheckView, ExerciseView
from grader.results import Outcome, SubmissionResult

# XML 1.0 has no way to write these, not even as a reference.
INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ERRORS = (Outcome.ERROR, Outcome.TIMEOUT, Outcome.CRASHED, Outcome.GRADER_ERROR)


def valid(text: str) -> str:
    """``text`` with a mark in place of each character that XML cannot hold."""
    return INVALID.sub("\N{REPLACEMENT CHARACTER}", text)


def export(
    results: Iterable[SubmissionResult],
    course: Course,
    out: Path,
    *,
    people: People | None = None,
) -> ExportReport:
    """Write ``out``; it shows what the student's edition shows."""
    report = ExportReport(out)
    with replacing(out) as file:
        file.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')
        for result in results:
            report.look_at(result)
            report.written += result.score is not None
            for line in _suites(result, course):
                file.write(line.encode("utf-8"))
        file.write(b"</testsuites>\n")
    return report


def _suites(result: SubmissionResult, course: Course) -> Iterable[str]:
    edition = edition_of(result, course)
    if edition.score is None:
        message = _attribute(edition.message or edition.status)
        name = _attribute(result.submission)
        yield f'<testsuite name={name} tests="1" failures="0" errors="1" skipped="0">\n'
        yield f"<testcase name={name} classname={name}><error message={message}/>"
        yield "</testcase>\n</testsuite>\n"
        return
    for exercise in edition.exercises:
        yield from _suite(result.submission, exercise)


def _suite(submission: str, exercise: ExerciseView) -> Iterable[str]:
    kinds = [_kind(check) for check in exercise.checks]
    name = _attribute(f"{submission}.{exercise.name}")
    yield (
        f'<testsuite name={name} tests="{len(kinds)}" '
        f'failures="{kinds.count("failure")}" errors="{kinds.count("error")}" '
        f'skipped="{kinds.count("skipped")}">\n'
    )
    for check, kind in zip(exercise.checks, kinds, strict=True):
        yield f"<testcase name={_attribute(check.title)} classname={name}>"
        if kind:
            first, *rest = check_lines(check)
            body = escape(valid("\n".join(rest)))
            yield f"<{kind} message={_attribute(first)}>{body}</{kind}>"
        yield "</testcase>\n"
    yield "</testsuite>\n"


def _kind(check: CheckView) -> str:
    if check.passed:
        return ""
    if check.outcome is Outcome.NOT_RUN:
        return "skipped"
    return "error" if check.outcome in ERRORS else "failure"


def _attribute(text: str) -> str:
    return quoteattr(valid(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
