import sqlite3
import stat

import pytest

from grader.atomic import LOCK, alone
from grader.errors import EnvironmentFault, UsageError
from grader.gradebook import Gradebook
from grader.gradebook.database import connect, transaction, version
from grader.gradebook.schema import MIGRATIONS

NEXT = (*MIGRATIONS, ("CREATE TABLE extra (x)", "INSERT INTO extra VALUES (1)"))
BROKEN = (*MIGRATIONS, ("CREATE TABLE extra (x)", "INSERT INTO nowhere VALUES (1)"))


@pytest.fixture
def old(path):
    db = connect(path)
    db.execute("INSERT INTO settings VALUES ('course', 'tiny')")
    db.close()
    return path


def test_new_file_has_the_newest_schema_wal_and_foreign_keys(path):
    db = connect(path)
    assert version(db) == len(MIGRATIONS)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA foreign_keys").fetchone() == (1,)
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        db.execute("INSERT INTO submissions VALUES ('s1', 99)")
    db.close()
    assert list(path.parent.glob("*.backup")) == []


def test_migration_leaves_a_backup_of_the_old_version(old):
    db = connect(old, NEXT)
    assert version(db) == len(NEXT)
    assert db.execute("SELECT x FROM extra").fetchall() == [(1,)]
    db.close()

    copy = old.with_name(f"{old.name}.v{len(MIGRATIONS)}.backup")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    back = connect(copy)
    assert version(back) == len(MIGRATIONS)
    assert back.execute("SELECT value FROM settings").fetchall() == [("tiny",)]
    back.close()


def test_migration_that_fails_changes_nothing(old):
    with pytest.raises(EnvironmentFault, match="no such table: nowhere"):
        connect(old, BROKEN)
    db = connect(old)
    assert version(db) == len(MIGRATIONS)
    tables = db.execute(
        "SELECT name FROM sqlite_schema WHERE name = 'extra'"
    ).fetchall()
    assert tables == []
    db.close()


def test_gradebook_of_a_newer_grader_is_refused(old):
    connect(old, NEXT).close()
    newer = rf"newer grader \(schema {len(NEXT)}, this one knows {len(MIGRATIONS)}\)"
    with pytest.raises(UsageError, match=newer):
        connect(old)


def test_transaction_is_rolled_back_whole(old):
    db = connect(old)

    def interrupted():
        with transaction(db):
            db.execute("INSERT INTO settings VALUES ('a', '1')")
            raise KeyboardInterrupt("now")

    with pytest.raises(KeyboardInterrupt, match="now"):
        interrupted()
    assert db.execute("SELECT count(*) FROM settings").fetchone() == (1,)
    db.close()


def test_gradebook_of_the_first_schema_shows_its_grades_after_the_migration(path):
    db = connect(path, MIGRATIONS[:1])
    for statement in (
        "INSERT INTO seeds VALUES (1, 'ab', 't')",
        "INSERT INTO version_sets VALUES (1, '{}')",
        """INSERT INTO runs VALUES (1, 't', 't', 'finished', 'me', 'here', '[]', 1, 1,
            'none', '{}', NULL)""",
        "INSERT INTO submissions VALUES ('ada', 1)",
        """INSERT INTO handins VALUES (1, 'ada', 1, 'f', 'd', 'Ada', '', NULL, '', NULL,
            0, '{"group":[],"ids":{},"bundle":null,"warnings":[],"unused":[],
            "blocked":{},"error":"","paths":{}}')""",
        """INSERT INTO gradings VALUES (1, 'ada', 1, 1, 't', 'graded', '7.5', '10',
            '7.5', NULL, 'f', '{"seed":"ab","isolation":"none","versions":{},
            "bundle":null,"wall_s":0,"cpu_s":0,"warnings":[],"message":"",
            "schema":1}')""",
        "INSERT INTO current VALUES ('ada', 1, 1)",
    ):
        db.execute(statement)
    db.close()
    with Gradebook.open(path) as book:
        assert [str(r.score) for r in book.results()] == ["7.5"]
        assert book.people()["ada"].name == "Ada"
        assert book.handed_in("ada") is not None  # nothing was handed in to keep
    db = sqlite3.connect(path)
    assert db.execute("SELECT name, score FROM grades").fetchall() == [("Ada", "7.5")]
    db.close()
    copy = connect(path.with_name(f"{path.name}.v1.backup"), MIGRATIONS[:1])
    assert copy.execute("SELECT score FROM grades").fetchall() == [("7.5",)]
    copy.close()


@pytest.mark.parametrize(
    ("befalls", "error", "sentence"),
    [
        ("PRAGMA max_page_count = 1", EnvironmentFault, "no room left to grow; make "),
        ("PRAGMA query_only = ON", UsageError, "cannot be opened for writing; copy"),
    ],
)
def test_what_befalls_the_file_is_said_with_what_to_do(path, befalls, error, sentence):
    def fill():
        with Gradebook.open(path) as book:
            book.connection.execute(befalls)
            book.set_setting("x", "y" * 100_000)

    with pytest.raises(error, match=rf"{path.name} .*{sentence}"):
        fill()


def test_what_we_do_wrong_stays_our_fault(book, run):
    with (
        pytest.raises(sqlite3.IntegrityError, match="history of a gradebook"),
        Gradebook.open(book.path) as again,
    ):
        again.connection.execute("UPDATE seeds SET seed = 'x'")


def test_lock_file_that_cannot_be_written_is_no_other_writer(tmp_path):
    (tmp_path / LOCK).write_bytes(b"no database at all, only text" * 100)

    def write():
        with alone(tmp_path):
            pass

    with pytest.raises(EnvironmentFault, match=rf"{LOCK} cannot be written \(file is"):
        write()
