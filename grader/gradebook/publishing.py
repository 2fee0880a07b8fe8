"""What was handed back, frozen: later states can be compared with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

import msgspec

from grader.gradebook import rows
from grader.gradebook.points import to_text
from grader.results import SubmissionResult


def save(
    db: sqlite3.Connection, decision: int, results: Iterable[SubmissionResult]
) -> int:
    """Keep the points of ``results`` under ``decision``; returns how many."""
    count = 0
    for result in results:
        parts = {
            name: {
                "score": e.score,
                "max_score": e.max_score,
                "checks": {c.id: c.points for c in e.checks},
            }
            for name, e in result.exercises.items()
        }
        db.execute(
            "INSERT INTO published VALUES (?, ?, ?, ?, ?, ?)",
            (
                decision,
                result.submission,
                result.status,
                to_text(result.score),
                to_text(result.max_score),
                rows.encode(parts).decode(),
            ),
        )
        count += 1
    return count


def load(db: sqlite3.Connection) -> tuple[int | None, dict[str, dict[str, Any]]]:
    """(its decision, submission -> what it had) for all that is handed back.

    Several publications may each have covered a part of the class: the newest
    of each submission counts, and the newest of all gives the number.
    """
    found: dict[str, dict[str, Any]] = {}
    newest = None
    for decision, who, status, score, most, parts in db.execute(
        "SELECT decision_id, submission_id, status, score, max_score, exercises "
        "FROM published ORDER BY decision_id"
    ):
        newest = decision
        found[who] = {
            "status": status,
            "score": score,
            "max_score": most,
            "exercises": msgspec.json.decode(parts),
        }
    return newest, found
