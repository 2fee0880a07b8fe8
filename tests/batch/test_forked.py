"""Sessions that one of them forks: as good as others, and quicker to have."""

import os
import re
import select
import signal

import msgspec
import pytest
from gradings import submission, tiny_course

from grader.batch import LocalBackend, grade_batch
from grader.batch.local import StartedBackend, local_backend
from grader.course import load_course
from grader.gradebook import Gradebook
from grader.isolation.probe import cached_probe
from grader.session.protocol import Reply, Request

SUITE = """
import pytest
from grader.session import expect

pytestmark = pytest.mark.exercise("add")


@pytest.mark.points(10)
@pytest.mark.numeric
def check_sums(student):
    \"\"\"Sums are right.\"\"\"
    expect.equal(student.add(1, 2), 3, what="the sum")
"""


def backend_of(bench, *more):
    return LocalBackend(bench.command(*more), 2, 20.0, forks=True)


def starts(bench, kind):
    lines = bench.log.with_suffix(".starts").read_text().splitlines()
    return [int(line.split()[0]) for line in lines if line.endswith(kind)]


def grade(bench, backend, work):
    with Gradebook.open(bench.path) as book:
        return grade_batch(work, bench.course, book, backend=lambda: backend)


def both_at_once(tmp_path):
    """Two hand-ins that are graded at the same time or never."""
    marker = tmp_path / "marker"
    return [
        submission("s1", {"add": f"wait-for {marker}"}),
        submission("s2", {"add": f"die-once {marker}"}),
    ]


def ended(pid):
    """Wait for the end of a process that is no child of ours."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    gone = bool(poll.poll(20_000))
    os.close(handle)
    return gone


def test_one_program_is_started_and_each_of_its_sessions_is_replaced_alone(
    bench, tmp_path
):
    summary = grade(bench, backend_of(bench), both_at_once(tmp_path))
    assert (summary.graded, summary.grader_errors) == (2, [])
    assert len(starts(bench, "lane")) == 1
    # The second one is for the session that died, whichever of the two it was.
    assert len(starts(bench, "program")) == 2
    assert bench.graded()[("s1", "add")] == 1
    assert all(map(ended, starts(bench, "program") + starts(bench, "lane")))


def test_lane_that_got_no_session_is_served_by_one_of_its_own(bench, tmp_path):
    summary = grade(bench, backend_of(bench, "no-lanes"), both_at_once(tmp_path))
    assert (summary.graded, summary.grader_errors) == (2, [])
    assert starts(bench, "lane") == []


def test_sessions_started_before_there_is_work_end_when_none_comes(bench):
    started = StartedBackend(lambda: backend_of(bench))
    (one,) = started._first.pool.clients[:1]
    request = Request("s1", submission("s1", {"add": "points 1"}), ["add"])
    assert one.ask(msgspec.json.encode(request), "s1", 20.0)  # all have started
    started.close()
    started.close()
    assert len(starts(bench, "lane")) == 1
    assert all(map(ended, starts(bench, "program") + starts(bench, "lane")))


def test_sessions_that_were_started_early_are_handed_out_once(bench):
    started = StartedBackend(lambda: backend_of(bench))
    first, second = started(), started()
    first.close()
    started.close()
    second.start()  # still alive: they are another batch's
    second.close()
    assert first is not second


@pytest.fixture
def sessions(tmp_path):
    """Two real sessions of a course that imports no torch."""
    root = tmp_path / "course"
    root.mkdir()
    tiny_course(root, ("add",))  # names no torch
    (root / "suites/public_add.py").write_text(SUITE)
    (root / "suites/hidden_add.py").unlink()
    (root / "solutions/add.py").write_text("def add(a, b):\n    return a + b\n")
    course = load_course(root)
    backend = local_backend(course, isolation=cached_probe().level, jobs=2)()
    backend.pool.start()
    yield backend.pool
    backend.close()


def verdict(client, answer):
    one = submission("s1", {"add": f"def add(a, b):\n    return {answer}\n"})
    request = msgspec.json.encode(Request("s1", one, ["add"], seed="s"))
    reply = msgspec.json.decode(client.ask(request, "s1", 60.0), type=Reply)
    assert reply.result.status == "graded", reply.result.message
    return str(reply.result.score)


def identity(client):
    line = "raise ValueError(f'I am {os.getuid()} {getpwuid(os.getuid())[0]}')"
    text = f"import os\nfrom pwd import getpwuid\ndef add(a, b):\n    {line}\n"
    request = Request("s2", submission("s2", {"add": text}), ["add"], seed="s")
    answer = client.ask(msgspec.json.encode(request), "s2", 60.0)
    result = msgspec.json.decode(answer, type=Reply).result
    got = result.exercises["add"].checks[0].got
    found = re.search(r"I am (\d+) student", got)
    assert found, got
    return int(found[1])


def test_each_session_of_a_batch_has_an_identity_of_its_own(sessions):
    """The kernel counts threads by it: one hand-in could use up all there are."""
    if os.geteuid() != 0 or cached_probe().level != "full":
        pytest.skip("an identity of its own needs root")
    one, two = map(identity, sessions.clients)
    assert 0 not in (one, two)
    assert one != two


def test_forked_session_grades_as_the_one_it_came_from_and_outlives_it(sessions):
    first, second = sessions.clients
    assert [verdict(c, a) for c in (first, second) for a in ("a + b", "a - b")] == (
        ["10", "0", "10", "0"]
    )
    forked = second._process
    os.killpg(first._process.pid, signal.SIGKILL)
    first._process.wait()
    assert [verdict(second, a) for a in ("a + b", "a - b")] == ["10", "0"]
    assert second._process is forked
    assert (first.starts, second.starts) == (1, 1)


def test_what_sessions_share_ends_with_the_batch(bench, tmp_path, monkeypatch):
    """They are killed at its end, so they cannot see to it themselves."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    backend = backend_of(bench)
    (shared,) = place.glob("grader-*")
    (shared / "learned").write_bytes(b"something")
    summary = grade(bench, backend, [submission("s1", {"add": "pass"})])
    assert summary.graded == 1
    assert not list(place.glob("grader-*"))
