"""The tables of the gradebook, as a list of migrations that only grows.

History (runs, hand-ins, exercise results, checks, gradings, seeds, decisions)
is append-only, and triggers enforce that. ``current`` alone is updated: for
each submission it points at the grading that counts now. The views ``grades``,
``exercises``, ``checks`` and ``mistakes`` show that current state and are what
people may rely on; the tables may change with a migration.

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

# Rows of history go only when personal data is purged, which says so first.
_GUARDS = tuple(
    statement
    for table in (*HISTORY, "seeds", "decisions")
    for statement in (
        f"""CREATE TRIGGER {table}_never_change BEFORE UPDATE ON {table}
            BEGIN SELECT RAISE(ABORT, 'the history of a gradebook never changes');
            END""",
        f"""CREATE TRIGGER {table}_never_vanish BEFORE DELETE ON {table}
            WHEN NOT EXISTS (SELECT 1 FROM settings WHERE name = 'purging')
            BEGIN SELECT RAISE(ABORT, 'the history of a gradebook is never deleted');
            END""",
    )
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

MIGRATIONS: tuple[tuple[str, ...], ...] = ((*_TABLES, *_GUARDS, *_VIEWS),)
