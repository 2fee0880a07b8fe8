"""Adding one graded submission to the tables; the caller holds the transaction."""

from __future__ import annotations

import sqlite3
from typing import Any

from grader.gradebook import rows, sources
from grader.gradebook.counting import is_kept
from grader.gradebook.points import to_text
from grader.results import ExerciseResult, Outcome, SubmissionResult
from grader.submission import Submission


def record(
    db: sqlite3.Connection,
    run_id: int,
    when: str,
    result: SubmissionResult,
    submission: Submission,
) -> bool:
    """See ``Gradebook.record``."""
    handin = _handin_id(db, run_id, submission)
    ids = _exercise_ids(db, run_id, when, result)
    fingerprint = rows.grading_fingerprint(result, ids)
    now = _current_row(db, result.submission)
    if now and now[2:] == (handin, fingerprint):
        return False
    grading = _add_graded(db, run_id, when, result, handin, fingerprint, ids)
    counts = now[0] if now and is_kept(now[1], result.status) else grading
    db.execute(
        "INSERT OR REPLACE INTO current VALUES (?, ?, ?)",
        (result.submission, counts, grading),
    )
    return True


def record_earlier(
    db: sqlite3.Connection,
    run_id: int,
    when: str,
    result: SubmissionResult,
    submission: Submission,
) -> bool:
    """See ``Gradebook.record``: an attempt before the last."""
    found = db.execute(
        "SELECT h.id, (SELECT g.fingerprint FROM gradings g WHERE g.handin_id = h.id "
        "ORDER BY g.id DESC LIMIT 1) FROM handins h "
        "WHERE h.submission_id = ? AND h.fingerprint = ? ORDER BY h.id DESC LIMIT 1",
        (submission.id, rows.handin_fingerprint(submission)),
    ).fetchone()
    if found is None or result.status != "graded":
        return False  # nothing that could count instead of the last one
    ids = _exercise_ids(db, run_id, when, result)
    fingerprint = rows.grading_fingerprint(result, ids)
    if found[1] == fingerprint:
        return False
    _add_graded(db, run_id, when, result, found[0], fingerprint, ids)
    return True


def _exercise_ids(
    db: sqlite3.Connection, run_id: int, when: str, result: SubmissionResult
) -> list[int]:
    faulty = result.status == "grader_error"
    return [
        _exercise_id(db, run_id, when, name, exercise, faulty)
        for name, exercise in result.exercises.items()
    ]


def _add_graded(
    db: sqlite3.Connection,
    run_id: int,
    when: str,
    result: SubmissionResult,
    handin: int,
    fingerprint: str,
    ids: list[int],
) -> int:
    """Add the grading with its exercises; returns its number."""
    grading = _add_grading(db, run_id, when, result, handin, fingerprint)
    names = zip(result.exercises, ids, strict=True)
    for position, (name, result_id) in enumerate(names):
        _insert(db, "graded", (grading, position, name, result_id))
    return grading


def _insert(db: sqlite3.Connection, table: str, values: tuple[Any, ...]) -> int:
    marks = ", ".join("?" * len(values))
    cursor = db.execute(f"INSERT INTO {table} VALUES ({marks})", values)
    return int(cursor.lastrowid or 0)


def _current_row(db: sqlite3.Connection, submission_id: str) -> Any:
    # (grading that counts, its status, hand-in and fingerprint of the latest)
    return db.execute(
        "SELECT g.id, g.status, l.handin_id, l.fingerprint FROM current c "
        "JOIN gradings g ON g.id = c.grading_id JOIN gradings l ON l.id = c.latest_id "
        "WHERE c.submission_id = ?",
        (submission_id,),
    ).fetchone()


def _handin_id(db: sqlite3.Connection, run_id: int, submission: Submission) -> int:
    fingerprint = rows.handin_fingerprint(submission)
    row = db.execute(
        "SELECT id, fingerprint FROM handins WHERE submission_id = ? "
        "ORDER BY id DESC LIMIT 1",
        (submission.id,),
    ).fetchone()
    if row and row[1] == fingerprint:
        return int(row[0])
    db.execute(
        "INSERT OR IGNORE INTO submissions VALUES (?, ?)", (submission.id, run_id)
    )
    values = (
        None,
        submission.id,
        run_id,
        fingerprint,
        submission.digest(),
        submission.name,
        submission.email,
        submission.submitted_at,
        submission.time_source,
        submission.late,
        len(submission.files),
        rows.encode(rows.facts(submission)).decode(),
    )
    handin = _insert(db, "handins", values)
    sources.save(db, handin, submission)
    return handin


def _exercise_id(
    db: sqlite3.Connection,
    run_id: int,
    when: str,
    name: str,
    exercise: ExerciseResult,
    faulty: bool,
) -> int:
    digest, detail = rows.pack(exercise)
    row = db.execute(
        "SELECT id FROM exercise_results WHERE key = ? AND digest = ?",
        (exercise.key, digest),
    ).fetchone()
    if row:
        return int(row[0])
    values = (
        None,
        exercise.key,
        name,
        run_id,
        when,
        to_text(exercise.score),
        to_text(exercise.max_score),
        exercise.status,
        is_our_fault(exercise, faulty),
        digest,
        detail,
    )
    result_id = _insert(db, "exercise_results", values)
    db.executemany(
        "INSERT INTO check_results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            rows.check_row(result_id, i, check)
            for i, check in enumerate(exercise.checks)
        ],
    )
    return result_id


def is_our_fault(exercise: ExerciseResult, faulty: bool) -> bool:
    """True when this result must not stand for the next identical hand-in.

    ``faulty``: the whole submission is a grader error; only then is a check
    that did not run our fault and not that of a spent budget.
    """
    outcomes = {check.outcome for check in exercise.checks}
    return Outcome.GRADER_ERROR in outcomes or (faulty and Outcome.NOT_RUN in outcomes)


def _add_grading(
    db: sqlite3.Connection,
    run_id: int,
    when: str,
    result: SubmissionResult,
    handin: int,
    fingerprint: str,
) -> int:
    values = (
        None,
        result.submission,
        handin,
        run_id,
        when,
        result.status,
        to_text(result.score),
        to_text(result.max_score),
        to_text(result.raw_score),
        None if result.late is None else rows.encode(result.late).decode(),
        fingerprint,
        rows.encode(rows.head(result)).decode(),
    )
    return _insert(db, "gradings", values)
