"""What counts: for each submission the grading that stands, with all that was decided.

Lines of results.jsonl, results for pages and exports, and the tables behind the
views come from here, so they cannot disagree.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec

from grader.gradebook import final, private, rows
from grader.gradebook.decisions import Standing
from grader.gradebook.points import from_text, to_text
from grader.gradebook.reading import absent
from grader.gradebook.reading import twins as find_twins
from grader.results import ExerciseResult, from_json

_head_decoder = msgspec.json.Decoder(rows.Head)

_COLUMNS = """
    SELECT g.submission_id, g.id, g.status, g.score, g.max_score, g.raw_score, g.late,
        g.head, h.digest, h.files, l.id, l.status, l.run_id
    FROM current c JOIN gradings l ON l.id = c.latest_id
    JOIN gradings g ON g.id = {grading}
    JOIN handins h ON h.id = g.handin_id"""
_CURRENT = _COLUMNS.format(grading="c.grading_id")
_ONE = _COLUMNS.format(grading="?") + " WHERE c.submission_id = g.submission_id"
# The newest grading of each hand-in, when it was graded at all.
_ATTEMPTS = """
    SELECT max(g.id) FROM gradings g JOIN handins h ON h.id = g.handin_id
    WHERE g.submission_id = ? AND g.status = 'graded' AND g.run_id <= ?
    GROUP BY h.digest, h.submitted_at ORDER BY max(g.id)"""
_ANY_RUN = 2**62
_FLOOR = """
    SELECT g.id FROM gradings g JOIN handins h ON h.id = g.handin_id
    WHERE g.submission_id = ? AND g.status = 'graded' AND g.id <= ? AND h.digest = ?
    ORDER BY g.id DESC LIMIT 1"""


class _Row(NamedTuple):
    submission: str
    grading: int
    status: str
    score: str | None
    max_score: str
    raw_score: str | None
    late: str | None
    head: str
    digest: str
    files: int
    latest: int
    latest_status: str
    latest_run: int


class Part(NamedTuple):
    """One exercise of what counts. ``result`` is the row that was graded."""

    exercise: str
    score: str
    max_score: str
    status: str
    result: int


class Final(NamedTuple):
    """What counts for one submission; ``raw`` is its line of results.jsonl."""

    raw: rows.RawResult
    grading: int
    parts: list[Part]


def finals(
    db: sqlite3.Connection,
    standing: Standing,
    submission: str | None = None,
    *,
    twins: bool = True,
) -> Iterator[Final]:
    """What counts now, in the order of ids; of one submission when it is named.

    ``twins`` looks for identical hand-ins, which only warnings speak of.
    """
    same = find_twins(db, submission) if twins else {}
    gone = absent(db)
    one = "" if submission is None else " WHERE c.submission_id = ?"
    query = f"{_CURRENT}{one} ORDER BY c.submission_id"
    for values in db.execute(query, () if submission is None else (submission,)):
        row = _Row(*values)
        found = _final(db, row, same, standing)
        if standing.best:
            found = _best(db, row, found, same, standing)
        if row.submission in gone:
            found.raw.warnings.append(private.ABSENT_WARNING)
        yield found


def after_run(db: sqlite3.Connection, standing: Standing, run: int) -> Iterator[Final]:
    """What counted after run ``run``, with today's decisions."""
    counts: dict[str, tuple[int, str, int]] = {}
    for who, *row in db.execute(
        "SELECT submission_id, id, status, handin_id FROM gradings "
        "WHERE run_id <= ? ORDER BY id",
        (run,),
    ):
        now = counts.get(who)
        # An earlier attempt that was graded again is not the last one.
        if now is None or not (is_kept(now[1], row[1]) or row[2] < now[2]):
            counts[who] = (row[0], row[1], row[2])
    for _, (grading, *_) in sorted(counts.items()):
        values = db.execute(_ONE, (grading,)).fetchone()
        if values:
            row = _Row(*values)
            found = _final(db, row, {}, standing)
            yield _best(db, row, found, {}, standing, run) if standing.best else found


def is_kept(old: str, new: str) -> bool:
    """True when the earlier grading goes on counting although a new one came."""
    if new == "grader_error":
        return old == "graded"
    return new == "missing" and old != "missing"


def _best(
    db: sqlite3.Connection,
    row: _Row,
    last: Final,
    twins: dict[str, list[str]],
    standing: Standing,
    run: int = _ANY_RUN,
) -> Final:
    """The attempt with most points, up to run ``run``; of equal ones the last."""
    found = db.execute(_ATTEMPTS, (row.submission, run))
    ids = [grading for (grading,) in found if grading != row.grading]
    best, tried = last, [last]
    for grading in reversed(ids):
        values = db.execute(_ONE, (grading,)).fetchone()
        attempt = _final(db, _Row(*values), twins, standing)
        tried.append(attempt)
        if _points(attempt) > _points(best):
            best = attempt
    if len(tried) > 1:
        when = (best.raw.late and msgspec.json.decode(best.raw.late)) or {}
        best.raw.warnings.append(
            f"{private.TA_ONLY}{len(tried)} attempts; the best one counts, handed in "
            f"{when.get('submitted_at') or 'at an unknown time'}."
        )
    return best


def _points(found: Final) -> Decimal:
    return from_text(found.raw.score) or Decimal(-1)


def _final(
    db: sqlite3.Connection,
    row: _Row,
    twins: dict[str, list[str]],
    standing: Standing,
) -> Final:
    raw, parts = _graded(db, row, twins)
    if not standing.is_plain(row.submission):
        raw, parts = _decided(db, row, raw, parts, standing)
    late = None if row.late is None else msgspec.json.decode(row.late)
    raw_score = from_text(raw.raw_score or raw.score)
    points = final.lateness(
        row.submission,
        raw.status,
        raw_score,
        Decimal(raw.max_score),
        late,
        standing,
    )
    if points.late is not late:  # there are dates: they decide
        raw.score = to_text(points.score)
        raw.raw_score = to_text(points.raw_score)
        raw.late = msgspec.Raw(rows.encode(points.late))
        raw.warnings += [points.warning] if points.warning else []
    return Final(raw, row.grading, parts)


def _graded(
    db: sqlite3.Connection, row: _Row, twins: dict[str, list[str]]
) -> tuple[rows.RawResult, list[Part]]:
    """A grading as it was recorded, with what the TA should know about it."""
    head = _head_decoder.decode(row.head)
    warnings = list(head.warnings)
    others = [t for t in twins.get(row.digest, ()) if t != row.submission]
    if others and row.files:
        warnings.append(private.identical_warning(others))
    if row.latest > row.grading and row.latest_status in ("grader_error", "missing"):
        warnings.append(private.stale_warning(row.latest_status, row.latest_run))
    found, parts = {}, []
    for name, detail, *values in _results(db, row.grading):
        found[name] = msgspec.Raw(rows.unpack(detail))
        parts.append(Part(name, *values))
    raw = rows.RawResult(
        submission=row.submission,
        status=row.status,
        score=row.score,
        max_score=row.max_score,
        raw_score=row.raw_score,
        late=None if row.late is None else msgspec.Raw(row.late.encode()),
        exercises=found,
        **{**msgspec.structs.asdict(head), "warnings": warnings},
    )
    return raw, parts


def _results(db: sqlite3.Connection, grading: int) -> Iterator[Any]:
    return db.execute(
        "SELECT e.exercise, r.detail, r.score, r.max_score, r.status, r.id "
        "FROM graded e JOIN exercise_results r ON r.id = e.result_id "
        "WHERE e.grading_id = ? ORDER BY e.position",
        (grading,),
    )


def _decided(
    db: sqlite3.Connection,
    row: _Row,
    raw: rows.RawResult,
    parts: list[Part],
    standing: Standing,
) -> tuple[rows.RawResult, list[Part]]:
    result = from_json(rows.encode(raw))
    floor = _floor(db, row, standing)
    kept = final.exercises(result, standing, {n: e for n, (e, _) in floor.items()})
    ids = {part.exercise: part.result for part in parts}
    ids |= {name: floor[name][1] for name in kept}
    parts = [
        Part(
            name,
            to_text(e.score) or "0",
            to_text(e.max_score) or "0",
            e.status,
            ids[name],
        )
        for name, e in result.exercises.items()
    ]
    raw.exercises = {
        n: msgspec.Raw(rows.encode(e)) for n, e in result.exercises.items()
    }
    raw.score, raw.raw_score = to_text(result.score), to_text(result.raw_score)
    raw.max_score = to_text(result.max_score) or "0"
    return raw, parts


def _floor(
    db: sqlite3.Connection, row: _Row, standing: Standing
) -> dict[str, tuple[ExerciseResult, int]]:
    """The best that the same files had when somebody said: never lower."""
    best: dict[str, tuple[ExerciseResult, int]] = {}
    for since in standing.floors:
        found = db.execute(_FLOOR, (row.submission, since, row.digest)).fetchone()
        if not found or found[0] == row.grading:
            continue
        for name, detail, *_, result_id in _results(db, found[0]):
            earlier = rows.decode_exercise(detail)
            if name not in best or earlier.score > best[name][0].score:
                best[name] = (earlier, result_id)
    return best
