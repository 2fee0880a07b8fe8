"""Scores and comments into the grading worksheet that Moodle offers.

The worksheet is filled in place: Moodle skips rows whose dates it does not know
and writes its header in the language of the site.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path

import msgspec

from grader.course import Course
from grader.errors import UsageError
from grader.exports import feedback
from grader.exports.common import (
    ExportReport,
    People,
    defuse,
    person,
    points_text,
    rescaled,
)
from grader.exports.fill import Claim, Claims, in_decimals_of, note_kept, save
from grader.exports.match import (
    Matcher,
    members,
    plain_id,
    plain_name,
    plain_names,
    same_name,
)
from grader.exports.sheet import Sheet
from grader.gradebook import Person
from grader.results import SubmissionResult

NUMBER = re.compile(r"(\d+)\s*$")
KINDS = ("participant number", "address", "name")
GRADE = ("grade", "bewertung", "note", "calificación", "成绩")
# "Grade can be changed" is answered in the language of the site; its header too.
YES = frozenset(
    "yes ja oui sí si sim sì да tak ano evet kyllä igen da 是 はい 예".split()
)
NO = frozenset(
    "no nein non não нет nie ne hayır ei nem nu nej nee 否 いいえ 아니오".split()
)
# How a comment begins that an earlier export of ours has written.
OURS = re.compile(r"<p>[\d.]+ / [\d.]+</p>")
COMMENTS = ("feedback comments", "feedback als kommentar", "反馈评论")


class _Layout(msgspec.Struct):
    """Where things are in a worksheet, each a column."""

    grade: int
    maximum: int | None
    comments: int | None
    changeable: int | None


def export(
    results: Iterable[SubmissionResult],
    course: Course,
    out: Path,
    *,
    people: People | None = None,
    worksheet: Path,
    rescale: bool = False,
    grade_column: str = "",
    comments_column: str = "",
) -> ExportReport:
    """Fill ``worksheet`` and write it to ``out``.

    Args:
        results: what counts now.
        course: decides what a comment may say about hidden checks.
        out: may be ``worksheet`` itself.
        people: participant numbers and names by submission.
        worksheet: as downloaded, in any language.
        rescale: turn our points into those of the column "Maximum grade".
        grade_column: its header, where it cannot be told.
        comments_column: the same for the comments.

    Raises:
        UsageError: ``worksheet`` is none, or its columns cannot be told.
    """
    report = ExportReport(out)
    sheet = Sheet(worksheet)
    layout = _layout(sheet, grade_column, comments_column, report)
    matcher = _matcher(sheet)
    named = _tells_names(matcher, people or {})
    claims = Claims(report)
    for result in results:
        report.look_at(result)
        found = [
            (who, *_row(sheet, matcher, who, named))
            for who in members(person(people or {}, result))
        ]
        if result.score is None:
            for _, row, _ in found:
                note_kept(report, result.submission, sheet, row, layout.grade)
            continue
        comment = feedback.html(result, course)
        for who, row, why in found:
            score = result.score
            most = None if row is None else _maximum(sheet, row, layout)
            if rescale:
                score = rescaled(score, result.max_score, most)
            else:
                report.compare_maximum(result, most)
            name = who.name or who.id
            claims.add(row, why, Claim(result.submission, name, score, comment))
    claims.settle(lambda row, claim: _put(sheet, row, layout, claim, report))
    save(sheet, report)
    return report


def _row(
    sheet: Sheet, matcher: Matcher, who: Person, named: bool
) -> tuple[int | None, str]:
    """(row, "") or (None, why): a number alone is not believed against the name.

    Each assignment numbers its participants anew, and a team's folder bears the
    team's own number: in another worksheet both are somebody else's.
    """
    number = who.ids.get("moodle", "")
    row, _ = matcher.find([("participant number", number)])
    there = "" if row is None else sheet.value(row, 1)
    blind = plain_name(who.name) in ("", f"participant{number}")
    known = matcher.find([("address", plain_id(who.email))])[0]
    if not (named and there) or blind or row == known or same_name(who.name, there):
        return matcher.find(_keys(who))
    return None, (
        f"participant {number} is {there} there; is this the assignment's worksheet?"
    )


def _tells_names(matcher: Matcher, people: People) -> bool:
    """Under blind marking another column comes second, and nobody is found in it."""
    known = [mate.name for who in people.values() for mate in members(who)]
    return any(matcher.has("name", plain_name(name)) for name in known)


def _put(
    sheet: Sheet, row: int, layout: _Layout, claim: Claim, report: ExportReport
) -> str:
    if layout.changeable is not None and _word(sheet, row, layout.changeable) in NO:
        return "its grade cannot be changed, so Moodle skips the row"
    most = _maximum(sheet, row, layout)
    if most is not None and claim.score > most:
        return f"more than the maximum of {points_text(most)}, which Moodle skips"
    sample = "" if layout.maximum is None else sheet.value(row, layout.maximum)
    sheet.put(row, layout.grade, in_decimals_of(sample, claim.score))
    if layout.comments is None:
        return ""
    there = sheet.value(row, layout.comments).strip()
    if there and not OURS.match(there):
        report.notes.append(
            f"{claim.submission}: the comment that is in the worksheet is kept; ours "
            "is not written. Empty the cell to have ours."
        )
    else:
        sheet.put(row, layout.comments, defuse(claim.feedback))
    return ""


def _word(sheet: Sheet, row: int, column: int) -> str:
    return sheet.value(row, column).strip().casefold()


def _maximum(sheet: Sheet, row: int, layout: _Layout) -> Decimal | None:
    return None if layout.maximum is None else _number(sheet.value(row, layout.maximum))


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        return None


def _layout(
    sheet: Sheet, grade_header: str, comments_header: str, report: ExportReport
) -> _Layout:
    header = [plain_id(text) for text in sheet.values(0)]
    rows = _people_rows(sheet)
    if not rows:
        raise UsageError(
            f"{sheet.path} is not a grading worksheet of Moodle: no cell of its first "
            "column ends in a participant's number."
        )
    maximum = _maximum_column(sheet, rows, len(header))
    grade = _named(header, grade_header, GRADE, sheet)
    if grade is None and maximum:
        grade = maximum - 1
        report.notes.append(f'taken for the grade: column "{sheet.value(0, grade)}".')
    if grade is None:
        raise UsageError(
            f"{sheet.path}: which column holds the grade? Name its header; they are: "
            f"{', '.join(sheet.values(0))}."
        )
    comments = _named(header, comments_header, COMMENTS, sheet)
    if comments is None and len(header) - 1 > (maximum or grade):
        comments = _free_last_column(sheet, rows, len(header), report)
    after = range((maximum or grade) + 1, len(header))
    answers = ({_word(sheet, row, column) for row in rows} for column in after)
    found = zip(after, answers, strict=True)
    changeable = next((c for c, told in found if told <= YES | NO), None)
    return _Layout(grade, maximum, comments, changeable)


def _people_rows(sheet: Sheet) -> list[int]:
    numbered = (r for r in range(1, len(sheet)) if sheet.width(r) > 1)
    return [r for r in numbered if NUMBER.search(sheet.value(r, 0))]


def _named(
    header: list[str], wanted: str, usual: tuple[str, ...], sheet: Sheet
) -> int | None:
    if wanted:
        if plain_id(wanted) not in header:
            raise UsageError(f"{sheet.path} has no column {wanted!r}.")
        return header.index(plain_id(wanted))
    return next((n for n, text in enumerate(header) if text in usual), None)


def _maximum_column(sheet: Sheet, rows: list[int], width: int) -> int | None:
    """The column with one and the same number in each row, after an open one."""
    for column in range(2, width):
        texts = {sheet.value(row, column).strip() for row in rows}
        before = (sheet.value(row, column - 1).strip() for row in rows)
        same = len(texts) == 1 and _number(next(iter(texts)))
        if same and all(not text or _number(text) is not None for text in before):
            return column
    return None


def _free_last_column(
    sheet: Sheet, rows: list[int], width: int, report: ExportReport
) -> int | None:
    """Comments come last; a last column of dates is something else."""
    if any(re.search(r"\d{4}", sheet.value(row, width - 1)) for row in rows):
        report.notes.append("no column for comments was found; only grades are filled.")
        return None
    name = sheet.value(0, width - 1)
    report.notes.append(f'taken for the comments: column "{name}".')
    return width - 1


def _matcher(sheet: Sheet) -> Matcher:
    matcher = Matcher(KINDS)
    for row in _people_rows(sheet):
        number = NUMBER.search(sheet.value(row, 0))
        matcher.add("participant number", number[1] if number else "", row)
        for text in sheet.values(row)[1:4]:
            if "@" in text:
                matcher.add("address", plain_id(text), row)
        for name in plain_names(sheet.value(row, 1)):
            matcher.add("name", name, row)
    return matcher


def _keys(who: Person) -> Iterator[tuple[str, str]]:
    number = who.ids.get("moodle", "")
    yield "participant number", number
    yield "address", plain_id(who.email)
    if not number:
        yield "name", plain_name(who.name or who.id)
