"""Reading what counts now, and what may be used again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import msgspec

from grader.gradebook import private, rows
from grader.gradebook.points import from_text
from grader.results import ExerciseResult

_head_decoder = msgspec.json.Decoder(rows.Head)

_CURRENT = """
    SELECT c.submission_id, c.grading_id, g.status, g.score, g.max_score, g.raw_score,
        g.late, g.head, h.digest, h.files, c.latest_id != c.grading_id, l.status,
        l.run_id
    FROM current c JOIN gradings g ON g.id = c.grading_id
    JOIN gradings l ON l.id = c.latest_id JOIN handins h ON h.id = g.handin_id"""


_DIGESTS = """
    SELECT c.submission_id, h.digest FROM current c
    JOIN gradings g ON g.id = c.grading_id JOIN handins h ON h.id = g.handin_id
    WHERE h.files > 0"""


class State(msgspec.Struct, frozen=True):
    """What the latest grading of a submission was made from."""

    handin: str = ""  # fingerprint
    digest: str = ""  # of the files
    status: str = ""
    score: Decimal | None = None
    max_score: Decimal = Decimal(0)
    keys: dict[str, str] = msgspec.field(default_factory=dict)


class Person(msgspec.Struct, frozen=True):
    """Who stands behind a submission, as its hand-in said."""

    id: str
    name: str = ""
    email: str = ""
    ids: dict[str, str] = msgspec.field(default_factory=dict)
    group: list[str] = msgspec.field(default_factory=list)


def people(db: sqlite3.Connection) -> dict[str, Person]:
    """Everybody who counts now, by submission id."""
    found = {}
    for who, name, email, text in db.execute(
        "SELECT c.submission_id, h.name, h.email, h.facts FROM current c "
        "JOIN gradings g ON g.id = c.grading_id JOIN handins h ON h.id = g.handin_id"
    ):
        facts = msgspec.json.decode(text, type=rows.Handin)
        found[who] = Person(who, name, email, facts.ids, facts.group)
    return found


def state(db: sqlite3.Connection, submission_id: str) -> State:
    """The state of ``submission_id``; empty when it was never graded."""
    found = db.execute(
        "SELECT h.fingerprint, h.digest, g.status, g.score, g.max_score, e.exercise, "
        "r.key FROM current c "
        "JOIN gradings g ON g.id = c.latest_id JOIN handins h ON h.id = g.handin_id "
        "LEFT JOIN graded e ON e.grading_id = g.id "
        "LEFT JOIN exercise_results r ON r.id = e.result_id WHERE c.submission_id = ?",
        (submission_id,),
    ).fetchall()
    if not found:
        return State()
    keys = {exercise: key for *_, exercise, key in found if exercise is not None}
    handin, digest, status, score, most = found[0][:5]
    return State(
        handin=handin,
        digest=digest,
        status=status,
        score=from_text(score),
        max_score=Decimal(most),
        keys=keys,
    )


def cached(db: sqlite3.Connection, key: str) -> ExerciseResult | None:
    """The newest result under ``key`` that is no fault of ours."""
    row = db.execute(
        "SELECT detail FROM exercise_results WHERE key = ? AND NOT grader_fault "
        "ORDER BY id DESC LIMIT 1",
        (key,),
    ).fetchone()
    return rows.decode_exercise(row[0]) if row else None


def lines(db: sqlite3.Connection, submission_id: str | None = None) -> Iterator[bytes]:
    """results.jsonl, line by line; of one submission when it is named."""
    twins = _twins(db, submission_id)
    one = "" if submission_id is None else " WHERE c.submission_id = ?"
    query = f"{_CURRENT}{one} ORDER BY c.submission_id"
    for row in db.execute(query, () if submission_id is None else (submission_id,)):
        yield rows.encode(_raw(db, row, twins))


def _raw(
    db: sqlite3.Connection, row: Any, twins: dict[str, list[str]]
) -> rows.RawResult:
    who, grading, status, score, most, raw_score, late, text = row[:8]
    digest, files, stale, latest_status, latest_run = row[8:]
    head = _head_decoder.decode(text)
    others = [t for t in twins.get(digest, ()) if t != who] if files else []
    warnings = list(head.warnings)
    if others:
        warnings.append(private.identical_warning(others))
    if stale:
        warnings.append(private.stale_warning(latest_status, latest_run))
    details = db.execute(
        "SELECT e.exercise, r.detail FROM graded e JOIN exercise_results r "
        "ON r.id = e.result_id WHERE e.grading_id = ? ORDER BY e.position",
        (grading,),
    )
    return rows.RawResult(
        submission=who,
        status=status,
        score=score,
        max_score=most,
        raw_score=raw_score,
        late=None if late is None else msgspec.Raw(late.encode()),
        exercises={name: msgspec.Raw(rows.unpack(detail)) for name, detail in details},
        **{**msgspec.structs.asdict(head), "warnings": warnings},
    )


def _twins(
    db: sqlite3.Connection, submission_id: str | None = None
) -> dict[str, list[str]]:
    """Digest -> ids, where several submissions count with the same files."""
    query, values = _DIGESTS, tuple[str, ...]()
    if submission_id is not None:
        mine = f"SELECT digest FROM ({_DIGESTS} AND c.submission_id = ?)"
        query, values = f"{_DIGESTS} AND h.digest IN ({mine})", (submission_id,)
    found: dict[str, list[str]] = {}
    for who, digest in sorted(db.execute(query, values)):
        found.setdefault(digest, []).append(who)
    return {digest: ids for digest, ids in found.items() if len(ids) > 1}


def identical(db: sqlite3.Connection) -> list[list[str]]:
    """Groups of equal hand-ins, each sorted, in the order of their first id."""
    return sorted(_twins(db).values())


def revision(db: sqlite3.Connection) -> str:
    """Names the newest row of everything that ``lines`` reads."""
    (grading,) = db.execute("SELECT coalesce(max(id), 0) FROM gradings").fetchone()
    (submissions,) = db.execute("SELECT count(*) FROM current").fetchone()
    return f"{grading}-{submissions}"
