"""The tables of the gradebook, as a list of migrations that only grows.

History (runs, hand-ins, exercise results, checks, gradings, seeds, decisions)
is append-only, and triggers enforce that. ``current`` is updated: for each
submission it points at the grading that counts now. ``finals``,
``final_exercises``, ``people`` and ``voids`` say what follows from history and
decisions; they can be made anew at any time. The views ``grades``,
``exercises``, ``checks``, ``mistakes`` and ``log`` show the present state and
are what people may rely on; the tables may change with a migration.

Points are decimal text: SQLite has no decimals and floats would drift.
"""

from __future__ import annotations

APPLICATION_ID = 0x47524442  # "GRDB", so that `file` and we can tell what it is

HISTORY = ("handins", "exercise_results", "check_results", "gradings", "graded")

_TABLES = (
    """CREATE TABLE settings (
        name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE seeds (
        id INTEGER PRIMARY KEY, seed TEXT NOT NULL, created_at TEXT NOT NULL)""",
    """CREATE TABLE version_sets (
        id INTEGER PRIMARY KEY, versions TEXT NOT NULL UNIQUE)""",
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY, started_at TEXT NOT NULL, finished_at TEXT,
        state TEXT NOT NULL DEFAULT 'running'
            CHECK (state IN ('running', 'finished', 'interrupted', 'failed')),
        author TEXT NOT NULL, host TEXT NOT NULL, arguments TEXT NOT NULL,
        seed_id INTEGER NOT NULL REFERENCES seeds (id),
        version_set_id INTEGER NOT NULL REFERENCES version_sets (id),
        isolation TEXT NOT NULL, limits TEXT NOT NULL, summary TEXT)""",
    """CREATE TABLE submissions (
        id TEXT PRIMARY KEY, first_run_id INTEGER NOT NULL REFERENCES runs (id)
        ) WITHOUT ROWID""",
    """CREATE TABLE handins (
        id INTEGER PRIMARY KEY,
        submission_id TEXT NOT NULL REFERENCES submissions (id),
        run_id INTEGER NOT NULL REFERENCES runs (id),
        fingerprint TEXT NOT NULL, digest TEXT NOT NULL,
        name TEXT NOT NULL, email TEXT NOT NULL, submitted_at TEXT,
        time_source TEXT NOT NULL, late INTEGER, files INTEGER NOT NULL,
        facts TEXT NOT NULL)""",
    "CREATE INDEX handins_by_submission ON handins (submission_id, id)",
    "CREATE INDEX handins_by_digest ON handins (digest)",
    """CREATE TABLE exercise_results (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL, exercise TEXT NOT NULL,
        run_id INTEGER NOT NULL REFERENCES runs (id), graded_at TEXT NOT NULL,
        score TEXT NOT NULL, max_score TEXT NOT NULL, status TEXT NOT NULL,
        grader_fault INTEGER NOT NULL, digest TEXT NOT NULL, detail BLOB NOT NULL)""",
    "CREATE INDEX exercise_results_by_key ON exercise_results (key, id)",
    """CREATE TABLE check_results (
        result_id INTEGER NOT NULL REFERENCES exercise_results (id),
        position INTEGER NOT NULL, check_id TEXT NOT NULL, title TEXT NOT NULL,
        public INTEGER NOT NULL, points TEXT NOT NULL, max_points TEXT NOT NULL,
        outcome TEXT NOT NULL, message TEXT NOT NULL, mistake TEXT,
        wall_s REAL NOT NULL, cpu_s REAL NOT NULL,
        PRIMARY KEY (result_id, position)) WITHOUT ROWID""",
    """CREATE TABLE gradings (
        id INTEGER PRIMARY KEY,
        submission_id TEXT NOT NULL REFERENCES submissions (id),
        handin_id INTEGER NOT NULL REFERENCES handins (id),
        run_id INTEGER NOT NULL REFERENCES runs (id), recorded_at TEXT NOT NULL,
        status TEXT NOT NULL
            CHECK (status IN ('graded', 'grader_error', 'unreadable', 'missing')),
        score TEXT, max_score TEXT NOT NULL, raw_score TEXT, late TEXT,
        fingerprint TEXT NOT NULL, head TEXT NOT NULL)""",
    "CREATE INDEX gradings_by_submission ON gradings (submission_id, id)",
    "CREATE INDEX gradings_by_run ON gradings (run_id)",
    """CREATE TABLE graded (
        grading_id INTEGER NOT NULL REFERENCES gradings (id),
        position INTEGER NOT NULL, exercise TEXT NOT NULL,
        result_id INTEGER NOT NULL REFERENCES exercise_results (id),
        PRIMARY KEY (grading_id, position)) WITHOUT ROWID""",
    """CREATE TABLE current (
        submission_id TEXT PRIMARY KEY REFERENCES submissions (id),
        grading_id INTEGER NOT NULL REFERENCES gradings (id),
        latest_id INTEGER NOT NULL REFERENCES gradings (id)) WITHOUT ROWID""",
    # What a person decided: extensions, excuses, adjustments, voids, comments,
    # aliases, time factors, publications. Taken back by a row that revokes it.
    """CREATE TABLE decisions (
        id INTEGER PRIMARY KEY, decided_at TEXT NOT NULL, author TEXT NOT NULL,
        kind TEXT NOT NULL, submission_id TEXT, exercise TEXT, check_id TEXT,
        value TEXT NOT NULL, reason TEXT NOT NULL,
        revokes INTEGER REFERENCES decisions (id))""",
    "CREATE INDEX decisions_by_kind ON decisions (kind, submission_id)",
)


def _guards(table: str) -> tuple[str, str]:
    """Rows of history go only when personal data is purged, which says so first."""
    return (
        f"""CREATE TRIGGER {table}_never_change BEFORE UPDATE ON {table}
            BEGIN SELECT RAISE(ABORT, 'the history of a gradebook never changes');
            END""",
        f"""CREATE TRIGGER {table}_never_vanish BEFORE DELETE ON {table}
            WHEN NOT EXISTS (SELECT 1 FROM settings WHERE name = 'purging')
            BEGIN SELECT RAISE(ABORT, 'the history of a gradebook is never deleted');
            END""",
    )


_GUARDS = tuple(
    statement
    for table in (*HISTORY, "seeds", "decisions")
    for statement in _guards(table)
)

_VIEWS = (
    """CREATE VIEW grades AS
        SELECT g.submission_id AS submission, h.name, h.email, g.status,
            g.score, g.max_score, g.raw_score, h.submitted_at, h.late AS marked_late,
            g.late AS late, g.run_id AS run, g.recorded_at, l.status AS latest_status
        FROM current c JOIN gradings g ON g.id = c.grading_id
        JOIN gradings l ON l.id = c.latest_id
        JOIN handins h ON h.id = g.handin_id""",
    """CREATE VIEW exercises AS
        SELECT c.submission_id AS submission, e.exercise, r.score, r.max_score,
            r.status, r.key, r.graded_at, r.id AS result_id
        FROM current c JOIN graded e ON e.grading_id = c.grading_id
        JOIN exercise_results r ON r.id = e.result_id""",
    """CREATE VIEW checks AS
        SELECT e.submission, e.exercise, k.check_id AS "check", k.title, k.public,
            k.points, k.max_points, k.outcome, k.message, k.mistake, k.wall_s, k.cpu_s
        FROM exercises e JOIN check_results k ON k.result_id = e.result_id""",
    """CREATE VIEW mistakes AS
        SELECT submission, exercise, mistake, count(*) AS checks
        FROM checks WHERE mistake IS NOT NULL
        GROUP BY submission, exercise, mistake""",
)

# Second migration: what was handed in, who is in the class, what was handed back.
_SEMESTER_TABLES = (
    """CREATE TABLE sources (
        digest TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE handin_sources (
        handin_id INTEGER NOT NULL REFERENCES handins (id), exercise TEXT NOT NULL,
        digest TEXT NOT NULL REFERENCES sources (digest),
        PRIMARY KEY (handin_id, exercise)) WITHOUT ROWID""",
    """CREATE TABLE roster (
        decision_id INTEGER NOT NULL REFERENCES decisions (id),
        person_id TEXT NOT NULL, name TEXT NOT NULL, email TEXT NOT NULL,
        section TEXT NOT NULL, team TEXT NOT NULL, ids TEXT NOT NULL,
        submission_id TEXT NOT NULL,
        PRIMARY KEY (decision_id, person_id)) WITHOUT ROWID""",
    """CREATE TABLE published (
        decision_id INTEGER NOT NULL REFERENCES decisions (id),
        submission_id TEXT NOT NULL, status TEXT NOT NULL, score TEXT,
        max_score TEXT NOT NULL, exercises TEXT NOT NULL,
        PRIMARY KEY (decision_id, submission_id)) WITHOUT ROWID""",
    """CREATE TABLE statistics (
        decision_id INTEGER NOT NULL REFERENCES decisions (id),
        kind TEXT NOT NULL, exercise TEXT NOT NULL, name TEXT NOT NULL,
        people INTEGER NOT NULL, of INTEGER NOT NULL)""",
    # What follows from all that; written in the transaction that changes it.
    """CREATE TABLE finals (
        submission_id TEXT PRIMARY KEY REFERENCES submissions (id),
        grading_id INTEGER NOT NULL REFERENCES gradings (id), status TEXT NOT NULL,
        score TEXT, max_score TEXT NOT NULL, raw_score TEXT, late TEXT
        ) WITHOUT ROWID""",
    """CREATE TABLE final_exercises (
        submission_id TEXT NOT NULL, position INTEGER NOT NULL,
        exercise TEXT NOT NULL, score TEXT NOT NULL, max_score TEXT NOT NULL,
        status TEXT NOT NULL, result_id INTEGER NOT NULL,
        PRIMARY KEY (submission_id, exercise)) WITHOUT ROWID""",
    """CREATE TABLE people (
        submission_id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL,
        section TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE voids (
        exercise TEXT NOT NULL, check_id TEXT NOT NULL,
        mode TEXT NOT NULL CHECK (mode IN ('full', 'out')),
        PRIMARY KEY (exercise, check_id)) WITHOUT ROWID""",
)

_OLD_VIEWS = tuple(
    f"DROP VIEW {name}" for name in ("mistakes", "checks", "exercises", "grades")
)

_SEMESTER_VIEWS = (
    """CREATE VIEW grades AS
        SELECT f.submission_id AS submission,
            coalesce(nullif(p.name, ''), h.name) AS name,
            coalesce(nullif(p.email, ''), h.email) AS email, f.status,
            f.score, f.max_score, f.raw_score, h.submitted_at, h.late AS marked_late,
            f.late, g.run_id AS run, g.recorded_at, l.status AS latest_status,
            coalesce(p.section, '') AS section
        FROM finals f JOIN gradings g ON g.id = f.grading_id
        JOIN current c ON c.submission_id = f.submission_id
        JOIN gradings l ON l.id = c.latest_id
        JOIN handins h ON h.id = g.handin_id
        LEFT JOIN people p ON p.submission_id = f.submission_id""",
    """CREATE VIEW exercises AS
        SELECT e.submission_id AS submission, e.exercise, e.score, e.max_score,
            e.status, r.key, r.graded_at, r.id AS result_id, r.score AS graded_score
        FROM final_exercises e JOIN exercise_results r ON r.id = e.result_id""",
    """CREATE VIEW checks AS
        SELECT e.submission, e.exercise, k.check_id AS "check", k.title, k.public,
            CASE v.mode WHEN 'full' THEN k.max_points WHEN 'out' THEN '0'
                ELSE k.points END AS points,
            CASE v.mode WHEN 'out' THEN '0' ELSE k.max_points END AS max_points,
            k.outcome, k.message, k.mistake, k.wall_s, k.cpu_s, v.mode AS void
        FROM exercises e JOIN check_results k ON k.result_id = e.result_id
        LEFT JOIN voids v ON v.exercise = e.exercise AND v.check_id = k.check_id""",
    """CREATE VIEW mistakes AS
        SELECT submission, exercise, mistake, count(*) AS checks
        FROM checks WHERE mistake IS NOT NULL
        GROUP BY submission, exercise, mistake""",
    """CREATE VIEW log AS
        SELECT d.id, d.decided_at, d.author, d.kind, d.submission_id AS submission,
            d.exercise, d.check_id AS "check", d.value, d.reason, d.revokes
        FROM decisions d""",
)

_SEMESTER_GUARDS = tuple(
    statement
    for table in ("sources", "handin_sources", "roster", "published", "statistics")
    for statement in _guards(table)
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (*_TABLES, *_GUARDS, *_VIEWS),
    (*_OLD_VIEWS, *_SEMESTER_TABLES, *_SEMESTER_GUARDS, *_SEMESTER_VIEWS),
)
