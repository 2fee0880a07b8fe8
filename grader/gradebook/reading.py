"""Reading what was graded: what may be used again, and who handed in the same."""

from __future__ import annotations

import sqlite3
import zlib
from decimal import Decimal

import msgspec

from grader.gradebook import decisions, private, rows
from grader.gradebook.points import from_text
from grader.results import ExerciseResult

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


def earlier_attempts(db: sqlite3.Connection) -> list[int]:
    """The newest grading of each hand-in that a later one has taken the place of."""
    found = db.execute(
        "SELECT max(g.id) FROM gradings g JOIN handins h ON h.id = g.handin_id "
        "JOIN current c ON c.submission_id = g.submission_id "
        "JOIN gradings n ON n.id = c.grading_id JOIN handins m ON m.id = n.handin_id "
        "WHERE g.status = 'graded' AND (h.digest, ifnull(h.submitted_at, '')) "
        "!= (m.digest, ifnull(m.submitted_at, '')) "
        "GROUP BY g.submission_id, h.digest, h.submitted_at ORDER BY min(h.id)"
    )
    return [grading for (grading,) in found]


def twins(
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
    return sorted(twins(db).values())


def revision(db: sqlite3.Connection) -> str:
    """Names the newest row of everything that a result is made of."""
    (submissions,) = db.execute("SELECT count(*) FROM current").fetchone()
    gone = zlib.crc32(" ".join(sorted(absent(db))).encode())
    rest = f"{submissions}.{gone:08x}"
    return f"{newest_grading(db)}-{rest}-{decisions.newest(db)}"


def states(db: sqlite3.Connection, submission_id: str | None = None) -> dict[str, str]:
    """Names, for each submission, the newest of what its result is made of.

    Of one submission when it is named; empty when that was never graded.
    """
    decision = decisions.newest(db)
    query, values = "SELECT submission_id, max(id) FROM gradings", tuple[str, ...]()
    if submission_id is not None:
        query, values = f"{query} WHERE submission_id = ?", (submission_id,)
    found = db.execute(f"{query} GROUP BY submission_id", values)
    return {who: f"{grading}-{decision}" for who, grading in found}


def absent(db: sqlite3.Connection) -> set[str]:
    """Ids whose hand-in was not there any more when it was last read."""
    query = "SELECT value FROM settings WHERE name = ?"
    row = db.execute(query, (private.ABSENT,)).fetchone()
    return set(msgspec.json.decode(row[0], type=list[str])) if row else set()


def newest_grading(db: sqlite3.Connection) -> int:
    """The number of the newest grading; 0 without any."""
    (number,) = db.execute("SELECT coalesce(max(id), 0) FROM gradings").fetchone()
    return int(number)
