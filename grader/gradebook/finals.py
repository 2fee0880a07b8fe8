"""The tables behind the views: what counts, written where it changes.

They follow from history and decisions and can be made anew at any time. The
caller holds the transaction in which something changed.
"""

from __future__ import annotations

import sqlite3

from grader.gradebook.counting import Final, finals
from grader.gradebook.decisions import Standing

VERSION = "1"  # raised when the tables are to be made anew from the same history
SETTING = "finals"


def refresh(
    db: sqlite3.Connection, standing: Standing, submission: str | None = None
) -> None:
    """Write what counts for one submission, or for all."""
    if submission is None:
        for table in ("finals", "final_exercises"):
            db.execute(f"DELETE FROM {table}")
        _write_voids(db, standing)
        _write_people(db, standing)
        db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (SETTING, VERSION))
    for found in finals(db, standing, submission, twins=False):
        _write(db, found)


def _write(db: sqlite3.Connection, found: Final) -> None:
    raw = found.raw
    late = None if raw.late is None else bytes(raw.late).decode()
    db.execute(
        "INSERT OR REPLACE INTO finals VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            raw.submission,
            found.grading,
            raw.status,
            raw.score,
            raw.max_score,
            raw.raw_score,
            late,
        ),
    )
    db.execute("DELETE FROM final_exercises WHERE submission_id = ?", (raw.submission,))
    db.executemany(
        "INSERT INTO final_exercises VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(raw.submission, number, *part) for number, part in enumerate(found.parts)],
    )


def _write_voids(db: sqlite3.Connection, standing: Standing) -> None:
    db.execute("DELETE FROM voids")
    db.executemany(
        "INSERT INTO voids VALUES (?, ?, ?)",
        [(*key, void.value["mode"]) for key, void in standing.voids.items()],
    )


def _write_people(db: sqlite3.Connection, standing: Standing) -> None:
    """Names from the roster; where several share a result they share the row."""
    db.execute("DELETE FROM people")
    if standing.roster is None:
        return
    db.execute(
        "INSERT INTO people SELECT submission_id, group_concat(name, ', '), "
        "group_concat(email, ', '), min(section) FROM (SELECT * FROM roster "
        "WHERE decision_id = ? AND submission_id != '' ORDER BY person_id) "
        "GROUP BY submission_id",
        (standing.roster,),
    )
