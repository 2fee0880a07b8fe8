"""What all exports share: the report, safe cells, points as text."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import msgspec

from grader.gradebook import Person, is_ta_only
from grader.report.clean import clean_line
from grader.results import SubmissionResult, round_points

# What makes a spreadsheet run a cell; full-width forms count in some locales.
FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
LINE_LIMIT = 2_000
People = Mapping[str, Person]


class ExportReport(msgspec.Struct):
    """What an export did, and every score that is not in the file."""

    path: Path
    written: int = 0
    unmatched: list[str] = msgspec.field(default_factory=list)  # scores without a row
    empty: list[str] = msgspec.field(default_factory=list)  # rows without a score
    notes: list[str] = msgspec.field(default_factory=list)

    def lines(self) -> list[str]:
        """The report in words, for a terminal."""
        found = [f"{self.path}: {self.written} scores."]
        found += [f"not in the file: {line}" for line in self.unmatched]
        found += [f"without a score: {line}" for line in self.empty]
        found += [f"note: {line}" for line in self.notes]
        return [clean_line(line, LINE_LIMIT) for line in found]

    def look_at(self, result: SubmissionResult) -> None:
        """List what a TA should know about one result before it goes out."""
        if result.score is None:
            why = f": {result.message}" if result.message else ""
            self.empty.append(f"{result.submission} ({result.status}{why})")
        for warning in result.warnings:
            if is_ta_only(warning) and "the earlier score is kept" in warning:
                self.notes.append(f"{result.submission}: {warning}")

    def compare_maximum(self, result: SubmissionResult, target: Decimal | None) -> None:
        """Say once that the LMS counts to another maximum than we do."""
        if target is None or target == result.max_score:
            return
        note = (
            f"scores are of {points_text(result.max_score)} points, the column is of "
            f"{points_text(target)}; --rescale turns them into those."
        )
        if note not in self.notes:
            self.notes.append(note)


def cell(text: str) -> str:
    """A text that students control, as a cell: nothing invisible, no formula."""
    return defuse(clean_line(text))


def defuse(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return "'" + text if text.lstrip(" ").startswith(FORMULA_STARTS) else text


def points_text(points: Decimal | None) -> str:
    """Two decimals at most, half up; nothing when there is no score."""
    return "" if points is None else format(round_points(points), "f")


def rescaled(points: Decimal, most: Decimal, target: Decimal | None) -> Decimal:
    """``points`` of ``most`` as points of ``target``, to a hundredth."""
    if target is None or most == 0:
        return points
    scaled = points * target / most
    return scaled.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def person(people: People, result: SubmissionResult) -> Person:
    """Who handed it in; the bare id when nobody knows more."""
    return people.get(result.submission) or Person(result.submission)
