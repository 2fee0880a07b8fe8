"""Removing people: rows, files and pages go, anonymous counts stay."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

from grader.errors import UsageError
from grader.gradebook import Gradebook, New
from grader.report.paths import KINDS, report_name

FEWEST = 3  # counts of fewer people would still say whose they are
BINS = 10

# In an order that no reference between tables objects to.
_DELETE = (
    "DELETE FROM finals WHERE submission_id IN (SELECT id FROM going)",
    "DELETE FROM final_exercises WHERE submission_id IN (SELECT id FROM going)",
    "DELETE FROM people WHERE submission_id IN (SELECT id FROM going)",
    "DELETE FROM published WHERE submission_id IN (SELECT id FROM going)",
    """DELETE FROM roster WHERE person_id IN
        (SELECT person_id FROM roster WHERE submission_id IN (SELECT id FROM going))""",
    "DELETE FROM current WHERE submission_id IN (SELECT id FROM going)",
    """DELETE FROM graded WHERE grading_id IN
        (SELECT id FROM gradings WHERE submission_id IN (SELECT id FROM going))""",
    "DELETE FROM gradings WHERE submission_id IN (SELECT id FROM going)",
    """DELETE FROM check_results WHERE result_id NOT IN
        (SELECT result_id FROM graded)""",
    "DELETE FROM exercise_results WHERE id NOT IN (SELECT result_id FROM graded)",
    """DELETE FROM handin_sources WHERE handin_id IN
        (SELECT id FROM handins WHERE submission_id IN (SELECT id FROM going))""",
    "DELETE FROM sources WHERE digest NOT IN (SELECT digest FROM handin_sources)",
    "DELETE FROM handins WHERE submission_id IN (SELECT id FROM going)",
    "DELETE FROM decisions WHERE submission_id IN (SELECT id FROM going)",
    "DELETE FROM submissions WHERE id IN (SELECT id FROM going)",
    # Lists of ids by download: the next grading begins them anew.
    "DELETE FROM settings WHERE name IN ('inputs', 'absent')",
)


def day(text: str) -> str:
    """``--before`` as the gradebook writes times.

    Raises:
        UsageError: it is no day.
    """
    try:
        return dt.datetime.combine(
            dt.date.fromisoformat(text), dt.time(), dt.UTC
        ).isoformat(timespec="seconds")
    except ValueError as e:
        raise UsageError(f"{text!r} is no day; write it like 2027-04-01.") from e


def going(db: sqlite3.Connection, before: str) -> list[str]:
    """Submissions of which nothing was graded since ``before``."""
    found = db.execute(
        "SELECT submission_id FROM gradings GROUP BY submission_id "
        "HAVING max(recorded_at) < ? ORDER BY submission_id",
        (before,),
    )
    return [who for (who,) in found]


def purge(book: Gradebook, new: New, who: list[str]) -> int:
    """Delete ``who`` from the tables; returns the number of the decision.

    The caller holds the transaction. What is left in the file's free pages goes
    with ``Gradebook.compact``.
    """
    db = book.connection
    counts = list(statistics(db, who)) if len(who) >= FEWEST else []
    number = book.decide(new)
    # Rows refer to each other: the whole is looked at when it is committed.
    db.execute("PRAGMA defer_foreign_keys = ON")
    db.execute("CREATE TEMP TABLE IF NOT EXISTS going (id TEXT PRIMARY KEY)")
    db.execute("DELETE FROM going")
    db.executemany("INSERT INTO going VALUES (?)", [(one,) for one in who])
    db.execute("INSERT INTO settings VALUES ('purging', '1')")
    for statement in _DELETE:
        db.execute(statement)
    # A command line may name people.
    db.execute("UPDATE runs SET arguments = '[]'")
    db.execute("DELETE FROM settings WHERE name = 'purging'")
    if not db.execute("SELECT count(*) FROM submissions").fetchone()[0]:
        db.execute("DELETE FROM settings WHERE name LIKE 'secret %'")
    db.executemany(
        "INSERT INTO statistics VALUES (?, ?, ?, ?, ?, ?)",
        [(number, *row) for row in counts],
    )
    db.execute("DELETE FROM going")
    return number


def statistics(
    db: sqlite3.Connection, who: list[str]
) -> Iterator[tuple[str, str, str, int, int]]:
    """(kind, exercise, name, people, of) of everybody in ``who`` together.

    Kinds: status, score (share of the maximum in tenths), check (how many
    passed, of those who handed it in), mistake.
    """
    mine = set(who)
    statuses: Counter[str] = Counter()
    shares: Counter[int] = Counter()
    for one, status, score, most in db.execute(
        "SELECT submission, status, score, max_score FROM grades"
    ):
        if one in mine:
            statuses[status] += 1
            if score is not None and Decimal(most):
                shares[min(BINS - 1, int(BINS * Decimal(score) / Decimal(most)))] += 1
    for status, count in sorted(statuses.items()):
        yield "status", "", status, count, len(mine)
    for tenth, count in sorted(shares.items()):
        yield "score", "", f"{10 * tenth}-{10 * tenth + 10} %", count, len(mine)
    passed: Counter[tuple[str, str]] = Counter()
    tried: Counter[tuple[str, str]] = Counter()
    for one, exercise, check, outcome in db.execute(
        'SELECT c.submission, c.exercise, c."check", c.outcome FROM checks c '
        "JOIN exercises e ON e.submission = c.submission AND e.exercise = c.exercise "
        "WHERE e.status IN ('passed', 'partial', 'failed')"
    ):
        if one in mine:
            tried[exercise, check] += 1
            passed[exercise, check] += outcome == "passed"
    for (exercise, check), count in sorted(tried.items()):
        yield "check", exercise, check, passed[exercise, check], count
    mistakes: Counter[tuple[str, str]] = Counter()
    for one, exercise, mistake in db.execute(
        "SELECT submission, exercise, mistake FROM mistakes"
    ):
        mistakes[exercise, mistake] += one in mine
    for (exercise, mistake), count in sorted(mistakes.items()):
        if count:
            yield "mistake", exercise, mistake, count, len(mine)


def remove_files(out: Path, who: list[str]) -> list[Path]:
    """Delete every page and copy of ``who`` below ``out``; returns what went."""
    names = {report_name(one) for one in who}
    gone: list[Path] = []
    folders = [out / "reports" / kind for kind in KINDS] + [out / "feedback"]
    folders += sorted((out / "published").glob("*")) if out.exists() else []
    for folder in folders:
        gone += [folder / name for name in sorted(names) if (folder / name).exists()]
    stems = {name.removesuffix(".html") for name in names}
    markdown = [out / "feedback-markdown" / f"{stem}.md" for stem in sorted(stems)]
    gone += [path for path in markdown if path.exists()]
    for stem in sorted(stems):
        gone += sorted(p for p in (out / "rerun" / stem).glob("*") if p.is_file())
    # Whole files in which everybody is: they are made anew from what is left.
    for pattern in ("*.backup", "feedback-*.zip", "index-*.html", "gradescope/*.json"):
        gone += sorted(out.glob(pattern))
    gone += [p for p in map(out.joinpath, EXPORTS) if p.exists()]
    for path in gone:
        path.unlink(missing_ok=True)
    for stem in stems:
        folder = out / "rerun" / stem
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return gone


# What export writes when it is not told where.
EXPORTS = ("grades.csv", "grades.json", "canvas.csv", "moodle.csv", "junit.xml")
