"""Several processes with one gradebook, and processes that are killed."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from gradings import submission

from grader.gradebook import Gradebook

SUPPORT = Path(__file__).parents[1] / "support"
WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from gradings import exercise, result, submission
from grader.gradebook import Gradebook

with Gradebook.open(sys.argv[2]) as book:
    run = book.begin_run([sys.argv[3]])
    for n in range(int(sys.argv[4])):
        name = f"{sys.argv[3]}{n:04}"
        keys = {e: exercise(f"{name}-{e}") for e in ("add", "mul", "sub")}
        book.record(run, result(name, keys), submission(name))
        print(name, flush=True)
    book.finish_run(run)
"""


def writer(path, prefix, count):
    command = [sys.executable, "-c", WRITER, SUPPORT, path, prefix, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def assert_whole(path):
    """Every grading has all its exercises, every exercise all its checks."""
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    parts = db.execute(
        "SELECT count(DISTINCT e.exercise), count(k.result_id) FROM gradings g "
        "LEFT JOIN graded e ON e.grading_id = g.id "
        "LEFT JOIN check_results k ON k.result_id = e.result_id GROUP BY g.id"
    ).fetchall()
    assert set(parts) <= {(3, 6)}
    db.close()


def test_three_processes_at_once_lose_nothing(path):
    """They also race for creating the file."""
    writers = [writer(path, prefix, 40) for prefix in "abc"]
    for process in writers:
        process.communicate()
        assert process.returncode == 0
    with Gradebook.open(path) as book:
        assert len(list(book.results())) == 120
        assert {r.state for r in book.runs()} == {"finished"}
    assert_whole(path)


def test_killed_at_any_moment_keeps_what_was_acknowledged(path):
    """kill -9 in a loop, each time after another number of submissions."""
    acknowledged = set()
    for turn in range(10):
        process = writer(path, chr(ord("a") + turn), 10_000)
        for _ in range(1 + 3 * turn):
            acknowledged.add(process.stdout.readline().strip())
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
        acknowledged |= set(rest.splitlines()[:-1])  # the last may be cut off
        assert_whole(path)
    with Gradebook.open(path) as book:
        assert acknowledged <= {r.submission for r in book.results()}
        assert book.known("nobody", "add") is None
        assert book.state("a0000").digest == submission("a0000").digest()
