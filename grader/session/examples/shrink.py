"""The smallest case of a failing check that still fails in the same way.

A check draws its sizes and numbers from a ``Case``, so it can be run again with
smaller and rounder ones. A smaller case counts only when the reference passes
it and the hand-in fails it at the same expectation. All of it happens after the
verdict, and within a fixed number of runs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any

from grader.session.checks import Check
from grader.session.failing import ExpectationError
from grader.session.workers.faults import StudentError, WorkerFault
from grader.session.journal import Call
from grader.session.local import LocalStudent
from grader.session.verdict import signature

if TYPE_CHECKING:
    from grader.session.case import Case
    from grader.session.plugin import GradingPlugin
    from grader.session.runner import Runner

MOST_RUNS = 6  # of the hand-in's code, for one check
UNBOUNDED = 1 << 20


@dataclass(frozen=True)
class Plan:
    """How a case is made simpler.

    Args:
        most: no drawn size is above it.
        apart: sizes are ``most``, ``most + 1``, ... so that axes can be told.
        step: drawn numbers are rounded to multiples of it; 0 leaves them.
        halved: places of those sizes that are halved once more.
    """

    most: int = UNBOUNDED
    apart: bool = False
    step: float = 0.0
    halved: frozenset[int] = frozenset()


# From the smallest on. Sizes that stayed as they were drawn are then halved, axis
# by axis; those of the first are small, and differ, so that axes can be told.
LADDER = (Plan(2, apart=True, step=0.5), Plan(step=0.5), Plan())
# Without a reference nothing vouches for smaller sizes.
LADDER_ALONE = (Plan(step=0.5), Plan())


class Simplify:
    """Replaces the draws of one case by those of a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.sizes: list[int] = []

    def __call__(self, kind: str, name: str, value: Any) -> Any:
        """The draw that stands in for ``value``."""
        plan = self._plan
        if kind == "size":
            place = len(self.sizes)
            value = min(value, plan.most + (place if plan.apart else 0))
            if place in plan.halved:
                value = max(1, value // 2)
            self.sizes.append(value)
        elif kind in ("randn", "rand") and plan.step:
            value = (value / plan.step).round() * plan.step + 0.0
        return value


@dataclass
class Failing:
    """A run that failed: what it ended with, what was asked, and in which sizes.

    The error holds the check's own objects, so that calls can be made again.
    """

    plan: Plan
    error: ExpectationError | StudentError
    calls: list[Call]
    sizes: list[int] = field(default_factory=list)


class Shrinker:
    """Runs one check of one hand-in on simpler and simpler cases.

    Args:
        plugin: runs a check.
        check: which one.
        make_case: a case of the check from a simplification.
        reference: the solution's module, None where it is not at hand.
        kit: our helper module of the exercise, in this process.
        passes: what the reference was found to pass, by plan; kept by the
            caller over hand-ins, because it depends on the seed alone.
    """

    def __init__(
        self,
        plugin: GradingPlugin,
        check: Check,
        make_case: Callable[[Simplify], Case],
        reference: ModuleType | None,
        kit: ModuleType,
        passes: dict[Plan, bool],
    ) -> None:
        self._plugin = plugin
        self._check = check
        self._make_case = make_case
        self._reference = reference
        self._kit = kit
        self._passes = passes
        self._runs = 0

    def smallest(
        self, runner: Runner, like: str, is_fresh: Callable[[list[Call]], bool]
    ) -> Failing | None:
        """The smallest case that fails with the same ``signature``, if any does.

        Args:
            runner: of a worker that gives no more verdicts.
            like: the signature of the failure that is to be explained.
            is_fresh: looks at the calls of a run; False: it may not be shown.
        """
        ladder = LADDER if self._reference is not None else LADDER_ALONE
        found = None
        for plan in ladder:
            found = self._fails(plan, runner, like, is_fresh)
            if found is not None:
                break
        if found is None or found.plan.apart or self._reference is None:
            return found
        for place, size in enumerate(found.sizes):
            if size > 1:
                halved = found.plan.halved | {place}
                plan = dataclasses.replace(found.plan, halved=halved)
                found = self._fails(plan, runner, like, is_fresh) or found
        return found

    def _fails(
        self,
        plan: Plan,
        runner: Runner,
        like: str,
        is_fresh: Callable[[list[Call]], bool],
    ) -> Failing | None:
        if self._runs >= MOST_RUNS or not self._reference_passes(plan):
            return None
        self._runs += 1
        simplify = Simplify(plan)
        runner.begin_check(self._check)
        error = self._plugin.run(
            self._check, runner, self._make_case(simplify), self._reference
        )
        calls = runner.calls
        runner.end_check()
        if isinstance(error, WorkerFault):
            self._runs = MOST_RUNS  # it hangs or dies: nothing more is tried
        if not isinstance(error, ExpectationError | StudentError):
            return None
        if signature(error) != like or not is_fresh(calls):
            return None
        return Failing(plan, error, calls, simplify.sizes)

    def _reference_passes(self, plan: Plan) -> bool:
        if self._reference is None:
            return True
        if plan not in self._passes:
            case = self._make_case(Simplify(plan))
            self._passes[plan] = self._passes_here(case, self._reference)
        return self._passes[plan]

    def _passes_here(self, case: Case, reference: ModuleType) -> bool:
        """Whether the reference, in this process, passes the check on ``case``."""
        offered = {
            "student": LocalStudent(reference),
            "worker": LocalStudent(self._kit, handles=True),
            "case": case,
            "reference": reference,
        }
        item = self._check.item
        try:
            item.function(**{name: offered[name] for name in item.fixturenames})
        except Exception:  # sizes that the suite was not written for, say
            return False
        return True
