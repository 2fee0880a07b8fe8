"""Filling scores into rows; nothing is filled when two claim the same row."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import msgspec

from grader.atomic import write_atomically
from grader.exports.common import ExportReport, points_text
from grader.exports.sheet import Sheet


class Claim(msgspec.Struct):
    """A submission's score on its way into a row."""

    submission: str
    who: str
    score: Decimal
    feedback: str = ""


class Claims:
    """Which submissions want which row."""

    def __init__(self, report: ExportReport) -> None:
        self.report = report
        self._rows: dict[int, list[Claim]] = {}

    def add(self, row: int | None, why: str, claim: Claim) -> None:
        """Note a match, or list the score as unmatched."""
        if row is None:
            self._drop(claim, why)
            return
        self._rows.setdefault(row, []).append(claim)

    def _drop(self, claim: Claim, why: str) -> None:
        of = f" for {claim.who}" if claim.who != claim.submission else ""
        score = points_text(claim.score)
        self.report.unmatched.append(f"{claim.submission}: {score}{of} ({why})")

    def settle(self, put: Callable[[int, Claim], str]) -> None:
        """Call ``put`` for each row that one submission claims.

        ``put`` returns why it refuses, or an empty string.
        """
        for row, claims in sorted(self._rows.items()):
            names = sorted({claim.submission for claim in claims})
            refusal = f"one row for {', '.join(names)}" if len(names) > 1 else ""
            refusal = refusal or put(row, claims[0])
            if not refusal:
                self.report.written += 1
                continue
            for claim in claims:
                self._drop(claim, refusal)


def note_kept(
    report: ExportReport, submission: str, sheet: Sheet, row: int | None, column: int
) -> None:
    """Say that a cell of somebody without a score is not empty, and stays so."""
    there = "" if row is None else sheet.value(row, column).strip()
    if there:
        report.notes.append(
            f"{submission} has no score; its cell keeps {there}, from before."
        )


def in_decimals_of(sample: str, points: Decimal) -> str:
    """``points`` as text, with a comma where ``sample`` has one."""
    text = points_text(points)
    return text.replace(".", ",") if "," in sample else text


def save(sheet: Sheet, report: ExportReport) -> None:
    """Write the filled sheet to the report's path."""
    write_atomically(report.path, sheet.to_bytes())
