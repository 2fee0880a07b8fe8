"""Budgets: who needs more time gets more of each, who runs out hurries."""

import pytest

from grader.session.allowance import HURRY_S, Allowance
from grader.session.checks import Check
from grader.session.limits import RunLimits, Spending
from grader.session.workers.faults import BudgetSpentError


def check(cpu_s=None):
    flags = dict.fromkeys(("public", "numeric", "gated", "errors", "fresh"), False)
    return Check(
        "slow", "add", "It ends.", points=1, hint="", cpu_s=cpu_s, item=None, **flags
    )


def allowance(factor, **measured):
    limits = RunLimits(per_check=measured, time_factor=factor)
    return Allowance(limits, Spending(120, 600))


@pytest.mark.parametrize(
    ("measured", "own", "plain"),
    [({}, None, 2.0), ({"add/slow": 3.0}, None, 3.0), ({"add/slow": 3.0}, 8.0, 8.0)],
)
def test_limit_of_every_kind_grows_by_the_factor(measured, own, plain):
    for factor in (1.0, 2.5):
        found = allowance(factor, **measured)
        found.begin(check(own), None)
        assert found.budget.allowed_s == plain * factor


def test_hurry_after_timeouts_leaves_more_time_too():
    found = allowance(2.0)
    found.count_timeout()
    found.count_timeout()
    found.begin(check(), None)
    assert found.budget.allowed_s == HURRY_S * 2


def test_hurry_leaves_half_of_what_a_slow_reference_needs():
    found = allowance(1.0, **{"add/slow": 5.0})
    found.begin(check(), None, patient=True)
    found.count_timeout()
    found.begin(check(), None)
    assert found.hurried
    assert found.budget.allowed_s == 2.5


def test_a_timeout_that_was_not_confirmed_hurries_nobody_alone():
    found = allowance(1.0)
    found.begin(check(), None)
    found.count_timeout()
    assert not found.hurried


@pytest.mark.parametrize("spent", [Spending(0, 600), Spending(120, 0)])
def test_who_has_used_all_of_it_gets_no_further_check(spent):
    with pytest.raises(BudgetSpentError):
        Allowance(RunLimits(), spent).refuse_if_spent()


def test_what_only_explains_has_limits_of_its_own():
    found = allowance(2.0)
    found.after_verdicts(RunLimits(check_cpu_s=0.5), Spending(1, 5))
    found.begin(check(), None)
    assert found.budget.allowed_s == 0.5
    assert found.spending.cpu_left_s == 1


class Clock:
    """A worker as an allowance sees it: its clocks."""

    def __init__(self, cpu_s=0.0):
        self.now_s, self.alive = cpu_s, True

    def cpu_s(self):
        return self.now_s

    def queued_s(self):
        return 0.25


def test_import_is_paid_by_the_submission_and_not_by_the_check_that_waits_for_it():
    found, worker = allowance(1.0), Clock(cpu_s=0.5)  # what starting it took is ours
    found.begin(check(), None)
    imported = found.for_import(worker)
    assert (imported.allowed_s, imported.wall_s) == (10.0, 30.0)
    worker.now_s, imported.waited_s = 4.5, 6.0

    found.after_import(worker, imported)

    assert (found.spending.cpu_left_s, found.spending.wall_left_s) == (116.0, 594.0)
    assert found.used_s(worker) == 0.0
    assert found.budget.left(worker.now_s)[0] == found.budget.allowed_s == 2.0
    worker.now_s = 5.0
    assert found.book(worker, found.budget) == 0.5
    assert found.cpu_s == 4.5
    assert found.spending.cpu_left_s == 115.5


def test_import_may_take_what_the_submission_has_left_but_never_nothing():
    found = Allowance(RunLimits(), Spending(3.0, 600))
    assert found.for_import(Clock()).allowed_s == 3.0
    found.spending.cpu_left_s = 0.125
    assert found.for_import(Clock()).allowed_s == HURRY_S
