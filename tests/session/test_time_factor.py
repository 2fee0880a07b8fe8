"""A student who needs more time: every limit of a check and of the whole grows."""

import pytest

from grader.session.checks import Check
from grader.session.limits import RunLimits, Spending
from grader.session.runner import HURRY_S, Runner
from grader.submission import Submission


def check(cpu_s=None):
    flags = dict.fromkeys(("public", "numeric", "gated", "errors", "fresh"), False)
    return Check(
        "slow", "add", "It ends.", points=1, hint="", cpu_s=cpu_s, item=None, **flags
    )


def runner(factor, **measured):
    limits = RunLimits(per_check=measured, time_factor=factor)
    return Runner(
        None,
        Submission("s1"),
        "add",
        asks=[],
        seed=1,
        limits=limits,
        spending=Spending(120, 600),
        kit=None,
    )


@pytest.mark.parametrize(
    ("measured", "own", "plain"),
    [({}, None, 2.0), ({"add/slow": 3.0}, None, 3.0), ({"add/slow": 3.0}, 8.0, 8.0)],
)
def test_limit_of_every_kind_grows_by_the_factor(measured, own, plain):
    for factor in (1.0, 2.5):
        found = runner(factor, **measured)
        found.begin_check(check(own))
        assert found.cpu_allowed_s() == plain * factor


def test_hurry_after_timeouts_leaves_more_time_too():
    found = runner(2.0)
    found.count_timeout()
    found.count_timeout()
    found.begin_check(check())
    assert found.cpu_allowed_s() == HURRY_S * 2


def test_hurry_leaves_half_of_what_a_slow_reference_needs():
    found = runner(1.0, **{"add/slow": 5.0})
    found.begin_check(check(), patient=True)
    found.count_timeout()
    found.begin_check(check())
    assert found.hurried
    assert found.cpu_allowed_s() == 2.5


def test_a_timeout_that_was_not_confirmed_hurries_nobody_alone():
    found = runner(1.0)
    found.begin_check(check())
    found.count_timeout()
    assert not found.hurried
