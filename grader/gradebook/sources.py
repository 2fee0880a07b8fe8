"""What was handed in, byte for byte, so that a verdict can be reproduced later."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib

import msgspec

from grader.gradebook import rows
from grader.submission import Source, Submission

_decoder = msgspec.msgpack.Decoder(Source)


def save(db: sqlite3.Connection, handin: int, submission: Submission) -> None:
    """Keep the files of a hand-in; equal files are kept once."""
    for exercise, source in submission.files.items():
        packed = msgspec.msgpack.encode(source)
        digest = hashlib.sha256(packed).hexdigest()
        db.execute(
            "INSERT OR IGNORE INTO sources VALUES (?, ?)",
            (digest, zlib.compress(packed, 6)),
        )
        db.execute(
            "INSERT OR IGNORE INTO handin_sources VALUES (?, ?, ?)",
            (handin, exercise, digest),
        )


def load(db: sqlite3.Connection, grading: int) -> Submission | None:
    """The hand-in that ``grading`` judged; None when its files were not kept."""
    row = db.execute(
        "SELECT h.id, h.submission_id, h.name, h.email, h.submitted_at, h.time_source, "
        "h.late, h.facts, h.files FROM gradings g JOIN handins h ON h.id = g.handin_id "
        "WHERE g.id = ?",
        (grading,),
    ).fetchone()
    if row is None:
        return None
    facts = msgspec.json.decode(row[7], type=rows.Handin)
    files = {
        exercise: _decoder.decode(zlib.decompress(data))
        for exercise, data in db.execute(
            "SELECT k.exercise, s.data FROM handin_sources k "
            "JOIN sources s ON s.digest = k.digest WHERE k.handin_id = ?",
            (row[0],),
        )
    }
    if len(files) != row[8]:
        return None
    return Submission(
        id=row[1],
        files=files,
        name=row[2],
        email=row[3],
        group=facts.group,
        submitted_at=row[4],
        time_source=row[5],
        late=None if row[6] is None else bool(row[6]),
        ids=facts.ids,
        bundle=facts.bundle,
        warnings=facts.warnings,
        unused=facts.unused,
        blocked=facts.blocked,
        error=facts.error,
    )
