"""Scores into the gradebook that Canvas exported, to be imported again.

Only cells of one assignment's column are written. A column is never added:
Canvas would make a new assignment of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path

from grader.course import Course
from grader.errors import UsageError
from grader.exports.common import ExportReport, People, person, rescaled
from grader.exports.fill import Claim, Claims, in_decimals_of, note_kept, save
from grader.exports.match import Matcher, members, plain_id, plain_name, plain_names
from grader.exports.sheet import Sheet
from grader.gradebook import Person
from grader.results import SubmissionResult

ASSIGNMENT = re.compile(r"^(?P<title>.*\S)\s*\((?P<id>\d+)\)$")
KINDS = ("id", "SIS id", "login", "name")
COLUMNS = {"ID": "id", "SIS User ID": "SIS id", "SIS Login ID": "login"}
EXCUSED = "EX"


def export(
    results: Iterable[SubmissionResult],
    course: Course,
    out: Path,
    *,
    people: People | None = None,
    gradebook: Path,
    assignment: str,
    rescale: bool = False,
) -> ExportReport:
    """Fill the column ``assignment`` of ``gradebook`` and write it to ``out``.

    Args:
        results: what counts now.
        course: unused here; every export takes it.
        out: may be ``gradebook`` itself.
        people: ids and names by submission.
        gradebook: the CSV that Canvas exported.
        assignment: the column's number, title, or whole header.
        rescale: turn our points into those of the column's "Points Possible".

    Raises:
        UsageError: ``gradebook`` is none, or has no such column.
    """
    report = ExportReport(out)
    sheet = Sheet(gradebook)
    _check_header(sheet)
    column = _find_column(sheet, assignment)
    sample = _points_possible(sheet, column)
    possible = _number(sample)
    matcher = _matcher(sheet)
    claims = Claims(report)
    for result in results:
        report.look_at(result)
        found = [
            (who, *matcher.find(_keys(who)))
            for who in members(person(people or {}, result))
        ]
        if result.score is None:
            for _, row, _ in found:
                note_kept(report, result.submission, sheet, row, column)
            continue
        if not rescale:
            report.compare_maximum(result, possible)
        target = possible if rescale else None
        score = rescaled(result.score, result.max_score, target)
        for who, row, why in found:
            claims.add(row, why, Claim(result.submission, who.name or who.id, score))

    def put(row: int, claim: Claim) -> str:
        if sheet.value(row, column).strip().upper() == EXCUSED:
            return "excused in Canvas"
        sheet.put(row, column, in_decimals_of(sample, claim.score))
        return ""

    claims.settle(put)
    save(sheet, report)
    return report


def _check_header(sheet: Sheet) -> None:
    header = sheet.values(0)
    first = header[0].replace(" ", "")
    if "ID" not in header[1:3] or not first.startswith(("Student", "LastName")):
        raise UsageError(
            f"{sheet.path} is not a gradebook of Canvas: its first columns should be "
            "Student and ID."
        )


def _find_column(sheet: Sheet, assignment: str) -> int:
    found, titles = [], []
    for column, header in enumerate(sheet.values(0)):
        match = ASSIGNMENT.match(header)
        if match is None:
            continue
        titles.append(header)
        if assignment.strip() in (header, match["title"], match["id"]):
            found.append(column)
    if len(found) == 1:
        return found[0]
    what = "no" if not found else f"{len(found)} columns for"
    listed = "; ".join(titles) or "none at all"
    raise UsageError(
        f"{sheet.path} has {what} assignment {assignment!r}; "
        f"its assignments are: {listed}."
    )


def _points_possible(sheet: Sheet, column: int) -> str:
    """The cell that says how many points there are; empty without one."""
    for row in range(1, min(4, len(sheet))):
        if sheet.value(row, 0).strip() == "Points Possible":
            return sheet.value(row, column).strip()
    return ""


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text.replace(",", "."))
    except InvalidOperation:
        return None


def _matcher(sheet: Sheet) -> Matcher:
    header = sheet.values(0)
    columns = {n: COLUMNS[text] for n, text in enumerate(header) if text in COLUMNS}
    matcher = Matcher(KINDS)
    for row in range(1, len(sheet)):
        values = sheet.values(row)
        if not any(values[n].strip() for n in columns if n < len(values)):
            continue  # points possible, manual posting, the empty last line
        for n, kind in columns.items():
            matcher.add(kind, plain_id(sheet.value(row, n)), row)
        # Some sites have the two names in columns of their own.
        whole = ", ".join(values[: header.index("ID")])
        for name in plain_names(whole):
            matcher.add("name", name, row)
    return matcher


def _keys(who: Person) -> Iterator[tuple[str, str]]:
    canvas = who.ids.get("canvas", "")
    yield "id", plain_id(canvas)
    for text in (who.ids.get("sid", ""), who.id):
        yield "SIS id", plain_id(text)
    for text in (who.ids.get("login", ""), who.email, who.id):
        yield "login", plain_id(text)
    # Who has an id that is not in the file has left; a namesake is not meant.
    if not canvas:
        yield "name", plain_name(who.name or who.id)
