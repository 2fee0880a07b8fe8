"""Marks of a lab's checks, and what validate says of its budgets."""

from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.errors import SuiteError
from grader.results import CheckResult, Outcome
from grader.session.checks import (
    Check,
    comparisons,
    group,
    needed,
    waits_for,
    with_budgets,
)
from grader.validate.points import budget_faults


class Item:
    """What the grading plugin reads of a collected check."""

    path = Path("public_tiny.py")

    def __init__(self, name, **marks):
        self.name = f"check_{name}"
        self.function = SimpleNamespace(__doc__="One sentence.")
        given = {"exercise": ("tiny",), "points": (10,), **marks}
        self.marks = {
            mark: SimpleNamespace(
                args=value if isinstance(value, tuple) else (),
                kwargs=value if isinstance(value, dict) else {},
            )
            for mark, value in given.items()
        }

    def get_closest_marker(self, name):
        return self.marks.get(name)


def check(name, cpu_s=None, after=()):
    return Check(
        name, "tiny", name, True, Decimal(1), "", True, False, False, False,
        cpu_s, None, after=after,
    )  # fmt: skip


CHAIN = [
    check("cheap"),
    check("trained", cpu_s=9.0, after=("cheap",)),
    check("well", after=("trained",)),
    check("apart"),
    check("best", after=("well", "apart")),
]


def test_budget_gives_cpu_and_wall_seconds(labs):
    items = [
        Item("a", budget=(3,)), Item("b", budget=(3, 4.5)), Item("c"),
    ]  # fmt: skip
    found = group(items, labs)["tiny"]
    assert [(c.cpu_s, c.wall_s) for c in found] == [
        (3.0, None), (3.0, 4.5), (None, None),
    ]  # fmt: skip


@pytest.mark.parametrize("given", [(), (0,), (-1,), ("5",), (True,), (1, 2, 3), (1, 0)])
def test_budget_that_is_no_time_is_refused(labs, given):
    with pytest.raises(SuiteError, match="budget takes CPU seconds, then wall"):
        group([Item("a", budget=given)], labs)


@pytest.mark.parametrize("name", ["later", "nowhere", "a"])
def test_check_waits_only_for_one_before_it(labs, name):
    items = [Item("a", after=(name,)), Item("later")]
    with pytest.raises(SuiteError, match="which is no check before it"):
        group(items, labs)


def test_comparison_needs_no_points_and_is_no_check(labs):
    shown = Item("shown", shown=(), after=("a",))
    del shown.marks["points"]
    found = group([shown, Item("a")], labs)
    taken = comparisons(found)
    assert [c.id for c in taken["tiny"]] == ["shown"]
    assert [c.id for c in found["tiny"]] == ["a"]


def test_one_check_needs_all_that_it_waits_for_in_order():
    assert [c.id for c in needed(CHAIN, "best")] == [c.id for c in CHAIN]
    assert [c.id for c in needed(CHAIN, "well")] == ["cheap", "trained", "well"]
    assert [c.id for c in needed(CHAIN, "apart")] == ["apart"]


def test_what_waits_for_a_training_is_as_dear_as_the_training():
    assert with_budgets(CHAIN) == {"trained", "well", "best"}


def test_check_waits_for_what_has_not_passed():
    def result(name, outcome):
        return CheckResult(name, name, True, Decimal(0), Decimal(1), outcome)

    before = [result("well", Outcome.PASSED), result("apart", Outcome.TIMEOUT)]
    other = waits_for(CHAIN[-1], before)
    assert other is not None
    assert other.id == "apart"
    assert waits_for(CHAIN[-1], before[:1]) is None


def test_budgets_that_do_not_fit_are_a_fault(labs):
    assert budget_faults(labs, "tiny", [check("a", cpu_s=6.0)]) == []
    assert budget_faults(labs, "tiny", [check("a", cpu_s=6.5)]) == [
        "tiny: budgets of 6.5 s, more than 6 s"
    ]
    assert budget_faults(labs, "tiny", [check("a")]) == [
        "tiny: a lab has a check with a budget of its own"
    ]
