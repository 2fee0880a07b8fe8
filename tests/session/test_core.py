"""A session and its workers share a core while an exercise is graded."""

import os

import pytest

from grader import spread
from grader.session.core import HERE, cores, on_core, seat
from grader.submission import Source, Submission

pytestmark = pytest.mark.skipif(
    len(cores()) < 2, reason="needs two cores that can be told apart"
)


def test_a_core_is_kept_within_the_block_alone():
    before = cores()
    for core in before[:2]:
        with on_core(core):
            assert cores() == [core]
            with on_core(HERE):  # a block within changes nothing
                assert cores() == [core]
        assert cores() == before


def test_here_is_one_core_and_none_is_any():
    before = cores()
    with on_core(HERE):
        assert len(cores()) == 1
    with on_core(None):
        assert cores() == before


def test_a_core_that_cannot_be_had_changes_nothing():
    before = cores()
    with on_core(max(before) + 1000):
        assert cores() == before
    assert cores() == before


def test_sessions_sit_side_by_side_and_round_again():
    known = cores()
    with on_core(known[1]):
        assert seat(0) == seat(1) == known[1]  # all that it may run on
    seats = {seat(number) for number in range(len(known))}
    assert seats == set(known)


def test_a_worker_runs_where_its_session_does(course):
    empty = Source("masked_softmax", "masked_softmax.py", b"", "py")
    submission = Submission(id="s", files={"masked_softmax": empty})

    def where(grader, name):
        runner = grader.runner(submission, grader.course.exercises[name])
        found = []
        for core in (*cores()[:2], None):
            with on_core(core):
                found.append(runner.worker() and _cores_of(runner))
                runner.end_worker()
        return found

    (found,) = spread.in_session(course, ["masked_softmax"], where)
    first, second, *_ = cores()
    assert found == [[first], [second], cores()]


def _cores_of(runner):
    return sorted(os.sched_getaffinity(runner.worker()._pid))
