"""Examples for the failing checks of a hand-in: few, bounded, and after the verdict.

A cause gets one example, however many checks fail for it: those that share a
named mistake, or fail at the same expectation. They are looked for when all
verdicts of the exercise are given.
"""

from __future__ import annotations

import dataclasses
from types import ModuleType
from typing import TYPE_CHECKING, Any

from grader.results import CheckResult, Outcome
from grader.session.examples import example
from grader.session.case import case_seed
from grader.session.case_arrays import kind_of_case
from grader.session.checks import Check
from grader.session.journal import Call
from grader.session.limits import RunLimits, Spending
from grader.session.local import libraries_of
from grader.session.plugin import OURS
from grader.session.examples.secrecy import is_fresh
from grader.session.examples.shrink import Failing, Plan, Shrinker

if TYPE_CHECKING:
    from grader.session.grade import Grader
    from grader.session.graded import Graded
    from grader.session.runner import Runner

MOST_EXAMPLES = 2  # of one exercise
MOST_OF_ALL = 6  # of one submission
CHECK_CPU_S, ALL_CPU_S = 0.5, 1.0  # of the worker, for a check and for an exercise
SLOW_CPU_S = 0.25  # a check that took more is not run again and again
_EXPLAINED = (Outcome.FAILED, Outcome.ERROR)
_PLAIN_STAGES = (
    "import",
    "name",
    "call",
    "undefined",
    "return",
)  # numbers would say nothing more


class Explainer:
    """Finds examples; what depends on the seed alone is kept over hand-ins."""

    def __init__(self, grader: Grader) -> None:
        self._grader = grader
        self._passes: dict[str, dict[Plan, bool]] = {}
        self._kits: dict[str, ModuleType] = {}

    def explain(self, runner: Runner, graded: Graded) -> int:
        """Add examples to the failing checks of what ``runner`` ran; how many.

        Where only public checks ran, its worker goes on: a fresh one takes as long
        to start as an example takes to find. Code that has seen hidden inputs could
        answer with them, and an example shows answers: there it is a fresh one.
        """
        chosen = self._chosen(runner.exercise, graded)
        if chosen:
            runner.allowance.after_verdicts(*self._bounds())
            if not all(c.public for c in graded.result.checks):
                runner.end_worker()
        found = 0
        for check, result in chosen:
            try:
                found += self._example(check, result, graded, runner)
            except Exception:  # a lost example costs neither verdict nor session
                break
        return found

    def _chosen(self, name: str, graded: Graded) -> list[tuple[Check, CheckResult]]:
        """One check for each cause: a public one where there is one."""
        checks = {c.id: c for c in self._grader.plugin.checks.get(name, [])}
        causes: dict[Any, tuple[Check, CheckResult]] = {}
        for result in graded.result.checks:
            check = checks.get(result.id)
            if check is None or not _can_be_run_again(check, result):
                continue
            if not graded.signatures.get(check.id):
                continue  # a broken answer, say: no expectation to fail again
            where = (result.stage, result.message, result.line)
            cause = result.mistake or tuple(result.one_of) or where
            causes.setdefault(cause, (check, result))
        found = sorted(causes.values(), key=lambda pair: not pair[0].public)
        return found[:MOST_EXAMPLES]

    def _bounds(self) -> tuple[RunLimits, Spending]:
        """What all examples of one exercise may use."""
        limits = dataclasses.replace(
            self._grader.limits, check_cpu_s=CHECK_CPU_S, per_check={}, time_factor=1.0
        )
        return limits, Spending(ALL_CPU_S, ALL_CPU_S * limits.wall_factor)

    def _example(
        self, check: Check, result: CheckResult, graded: Graded, runner: Runner
    ) -> int:
        grader = self._grader
        key = f"{check.exercise}/{check.id}"
        label = check.id if check.public else f"{check.id}/example"
        seed = case_seed(grader.seed, check.exercise, label)
        kind = kind_of_case(grader.course.libraries)
        reference = grader.references.module(check.exercise)
        shrinker = Shrinker(
            grader.plugin,
            check,
            lambda simplify: kind(seed, None, simplify),
            reference,
            self._kit(check.exercise),
            self._passes.setdefault(key, {}),
        )
        hidden: list[Call] = [] if check.public else graded.calls.get(check.id, [])
        failing: Failing | None = shrinker.smallest(
            runner, graded.signatures[check.id], lambda calls: is_fresh(calls, hidden)
        )
        if failing is None:
            return 0
        source = runner.submission.files[check.exercise]
        result.example = example.build(failing, reference, source, check.public)
        if result.example is not None:
            figure = example.influence(failing, runner)
            result.example.figures = [figure] if figure is not None else []
        return int(result.example is not None)

    def _kit(self, name: str) -> ModuleType:
        """What a worker's libraries are to the reference: torch (if any) and kit."""
        if name not in self._kits:
            libraries = libraries_of(self._grader.course, name)
            libraries.ready_made = _Undisturbed  # type: ignore[attr-defined]
            self._kits[name] = libraries
        return self._kits[name]


class _Undisturbed:
    """In place of ``worker.ready_made``: the solution uses no ready-made attention.

    To disturb it takes an import of 800 modules, which a session has no use for.
    """

    @staticmethod
    def disturbed(target: Any, *args: Any, **kwargs: Any) -> Any:
        """(answer of the call, no names)."""
        return target(*args, **kwargs), []

    @staticmethod
    def held(module: Any) -> list[str]:
        """No classes."""
        return []


def _can_be_run_again(check: Check, result: CheckResult) -> bool:
    """It failed in what it was asked, and neither waits nor takes long."""
    return (
        result.outcome in _EXPLAINED
        and result.stage not in _PLAIN_STAGES
        and check.cpu_s is None
        and not check.after
        and result.cpu_s <= SLOW_CPU_S
        and OURS.issuperset(check.item.fixturenames)
        and "lab" not in check.item.fixturenames
    )
