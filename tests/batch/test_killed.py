"""A coordinator that is killed, or interrupted, in a process of its own."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from grader.gradebook import Gradebook

HERE = Path(__file__).parent
COUNT = 40
PROGRAM = """
import sys
from pathlib import Path
from gradings import submission
from grader.batch import LocalBackend, grade_batch
from grader.course import load_course
from grader.gradebook import Gradebook

out, command = Path(sys.argv[1]), sys.argv[3:]
course = load_course(out.parent / "course")
work = [
    submission(f"s{n:03}", {"add": f"points {n % 9}", "mul": "y" * (n % 7) + f" {n}"})
    for n in range(int(sys.argv[2]))
]
with Gradebook.open(out / "gradebook.sqlite") as book:
    summary = grade_batch(
        work, course, book, isolation="none",
        backend=lambda: LocalBackend(command, 2, 20.0),
        on_result=lambda done, summary: print(done.submission, flush=True),
    )
    print(summary.message, flush=True)
"""


def start(bench, out):
    path = [HERE.parent / "support", HERE.parents[1]]
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, bench.root / out, str(COUNT), *bench.command()],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
    )


def read(process, lines):
    return [process.stdout.readline().strip() for _ in range(lines)]


def rows(path):
    found = [json.loads(line) for line in path.read_bytes().splitlines()]
    for row in found:
        del row["wall_s"], row["cpu_s"], row["seed"], row["versions"]
        for exercise in row["exercises"].values():
            del exercise["key"]  # another gradebook has another seed
    return found


@pytest.fixture
def uninterrupted(bench):
    (bench.root / "whole").mkdir()
    process = start(bench, "whole")
    process.communicate()
    assert process.returncode == 0
    bench.forget()
    return rows(bench.root / "whole" / "results.jsonl")


def test_batch_killed_again_and_again_ends_with_the_same_results(bench, uninterrupted):
    """kill -9, each time a little later; the last run is left alone."""
    kept = set()
    for turn in range(6):
        process = start(bench, "out")
        read(process, 3 + 5 * turn)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        with Gradebook.open(bench.path) as book:
            now = {r.submission for r in book.results()}
        assert kept <= now
        kept = now
    assert kept
    process = start(bench, "out")
    process.communicate()
    assert process.returncode == 0
    assert rows(bench.results) == uninterrupted
    with Gradebook.open(bench.path) as book:
        assert [r.state for r in book.runs()] == ["running"] * 6 + ["finished"]


def test_ctrl_c_ends_the_program_cleanly_and_the_next_run_goes_on(bench, uninterrupted):
    process = start(bench, "out")
    read(process, 4)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate()
    assert process.returncode == 0
    assert "Run the same command again to go on from there." in rest
    done = 4 + len(rest.splitlines()) - 1
    assert len(rows(bench.results)) == done

    process = start(bench, "out")
    process.communicate()
    assert process.returncode == 0
    assert rows(bench.results) == uninterrupted


def test_twice_ctrl_c_leaves_at_once_and_keeps_what_is_recorded(bench):
    process = start(bench, "out")
    first = read(process, 3)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    process.communicate()
    with Gradebook.open(bench.path) as book:
        assert {*first} <= {r.submission for r in book.results()}
