"""A real scheduler and real workers; the sessions are fakes."""

import os
import signal
from collections import Counter
from pathlib import Path

import dask
import pytest
from gradings import submission, tiny_course

from grader.batch import grade_batch
from grader.cluster import cluster_backend
from grader.errors import EnvironmentFault
from grader.gradebook import Gradebook

FAKE = Path(__file__).parents[1] / "batch" / "fake_session.py"
COUNT = 24


@pytest.fixture
def course(tmp_path):
    return tiny_course(tmp_path / "course")


def work():
    return [
        submission(f"s{n:03}", {"add": f"points {n % 9}", "mul": f"unique {n}"})
        for n in range(COUNT)
    ]


class Grading:
    def __init__(self, root, course):
        self.root = root
        self.course = course
        self.log = root / "log"
        self.log.touch()
        self.path = root / "gradebook.sqlite"

    def run(self, address, submissions, on_result=None, more=()):
        command = ["{python}", str(FAKE), str(self.log), "{course}", *more]
        with Gradebook.open(self.path) as book:
            return grade_batch(
                submissions,
                self.course,
                book,
                isolation="none",
                on_result=on_result,
                backend=cluster_backend(
                    self.course, address, isolation="none", command=command
                ),
            )

    def scores(self):
        with Gradebook.open(self.path) as book:
            return {r.submission: (r.status, r.score) for r in book.results()}


@pytest.fixture
def grading(tmp_path, course):
    return Grading(tmp_path, course)


def expected():
    return {
        f"s{n:03}": ("graded", n % 9 + len(f"unique {n}") % 10) for n in range(COUNT)
    }


@pytest.mark.slow
def test_worker_killed_half_way_loses_nothing(cluster, grading):
    done = []

    def kill(one, summary):
        done.append(one.submission)
        if len(done) == COUNT // 2:
            cluster.workers[0].send_signal(signal.SIGKILL)

    summary = grading.run(cluster.address, work(), kill)
    assert cluster.workers[0].wait() == -signal.SIGKILL
    assert summary.grader_errors == []
    assert grading.scores() == expected()
    processes = {line.split()[0] for line in grading.log.read_text().splitlines()}
    assert len(processes) >= 2  # both workers had their part


@pytest.mark.slow
def test_worker_that_hangs_loses_nothing(cluster, grading):
    """SIGSTOP: no heartbeat and no word, as when its network is gone."""
    done = []

    def stop(one, summary):
        done.append(one.submission)
        if len(done) == 4:
            cluster.workers[0].send_signal(signal.SIGSTOP)

    grading.run(cluster.address, work(), stop)
    assert grading.scores() == expected()


@pytest.mark.slow
def test_worker_that_joins_late_takes_part(cluster, grading):
    waiting = grading.root / "go"
    address = cluster.address
    stuck = [submission(f"w{n}", {"add": f"wait-for {waiting} {n}"}) for n in range(2)]

    def join(one, summary):
        if summary.done == 1:
            for n in range(2):
                cluster.workers[n].send_signal(signal.SIGKILL)
            cluster.add_worker()
            waiting.touch()

    grading.run(address, [submission("first"), *stuck, *work()], join)
    scores = grading.scores()
    assert len(scores) == COUNT + 3
    assert {status for status, _ in scores.values()} == {"graded"}


@pytest.mark.slow
def test_submission_that_kills_sessions_is_a_grader_error_there_too(cluster, grading):
    deadly = submission("zz", {"add": "die"})
    summary = grading.run(cluster.address, [*work()[:5], deadly])
    assert summary.grader_errors == ["zz"]
    assert summary.graded == 5


@pytest.mark.slow
def test_course_is_private_on_a_node_and_gone_afterwards(cluster, grading):
    """The fake's third argument is the folder that the node made."""
    seen = {}

    def look(one, summary):
        for process in cluster.workers:
            for pid in children(process.pid):
                words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                folder = Path(os.fsdecode(words[3]))
                mode = folder.stat().st_mode & 0o777
                names = {p.relative_to(folder).as_posix() for p in folder.rglob("*.*")}
                seen[folder] = (mode, names)

    grading.run(cluster.address, work()[:6], look)
    assert len(seen) >= 1
    for folder, (mode, names) in seen.items():
        assert mode == 0o700
        assert {"course.toml", "suites/hidden_add.py", "solutions/mul.py"} <= names
        assert not folder.exists()
        assert grading.course.root not in folder.parents


def children(pid):
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(p) for file in found for p in file.read_text().split()]


@pytest.mark.slow
def test_scheduler_that_dies_stops_the_batch_and_what_is_done_stays(cluster, grading):
    done = []

    def kill(one, summary):
        done.append(one.submission)
        if len(done) == 3:
            cluster.scheduler.send_signal(signal.SIGKILL)

    with (
        dask.config.set({"distributed.comm.timeouts.connect": "2s"}),
        pytest.raises(EnvironmentFault, match=r"connection to the sessions was lost"),
    ):
        grading.run(cluster.address, work(), kill)
    kept = grading.scores()
    assert 3 <= len(kept) < COUNT
    assert Counter(kept.items()) <= Counter(expected().items())
