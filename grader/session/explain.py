"""Examples for the failing checks of a hand-in: few, bounded, and after the verdict.

A cause gets one example, however many checks fail for it: those that share a
named mistake, or fail at the same expectation. Each exercise that needs any has
one more worker for them, so nothing that happens there reaches a verdict.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

from grader.results import CheckResult, Outcome
from grader.session import example
from grader.session.case import Case, case_seed
from grader.session.checks import Check
from grader.session.journal import Call
from grader.session.local import load_module
from grader.session.plugin import OURS
from grader.session.runner import RunLimits, Spending
from grader.session.shrink import Failing, Plan, Shrinker
from grader.worker import ready_made

if TYPE_CHECKING:
    from grader.session.grade import Graded, Grader
    from grader.session.runner import Runner
    from grader.submission import Source, Submission

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

    def explain(self, submission: Submission, name: str, graded: Graded) -> int:
        """Add examples to the failing checks of exercise ``name``; how many."""
        if "torch" not in self._grader.course.libraries:
            return 0
        found = 0
        chosen = self._chosen(name, graded)
        runner = self._runner(submission, name) if chosen else None
        for check, result in chosen:
            assert runner is not None
            try:
                source = submission.files[name]
                found += self._example(check, result, graded, runner, source)
            except Exception:  # a lost example costs neither verdict nor session
                break
        if runner is not None:
            runner.end_worker()
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

    def _runner(self, submission: Submission, name: str) -> Runner:
        grader = self._grader
        limits = RunLimits(
            check_cpu_s=CHECK_CPU_S,
            wall_factor=grader.limits.wall_factor,
            submission_cpu_s=grader.limits.submission_cpu_s,
            memory_mib=grader.limits.memory_mib,
        )
        spending = Spending(ALL_CPU_S, ALL_CPU_S * limits.wall_factor)
        exercise = grader.course.exercises[name]
        return grader.runner(submission, exercise, spending, limits)

    def _example(
        self,
        check: Check,
        result: CheckResult,
        graded: Graded,
        runner: Runner,
        source: Source,
    ) -> int:
        grader = self._grader
        key = f"{check.exercise}/{check.id}"
        label = check.id if check.public else f"{check.id}/example"
        seed = case_seed(grader.seed, check.exercise, label)
        reference = grader.reference(check.exercise)
        shrinker = Shrinker(
            grader.plugin,
            check,
            lambda simplify: Case(seed, None, simplify),
            reference,
            self._kit(check.exercise),
            self._passes.setdefault(key, {}),
        )
        hidden: list[Call] = [] if check.public else graded.calls.get(check.id, [])
        failing: Failing | None = shrinker.smallest(
            runner, graded.signatures[check.id], lambda c: example.is_fresh(c, hidden)
        )
        if failing is None:
            return 0
        result.example = example.build(failing, reference, source, check.public)
        if result.example is not None:
            figure = example.influence(failing, runner)
            result.example.figures = [figure] if figure is not None else []
        return int(result.example is not None)

    def _kit(self, name: str) -> ModuleType:
        """What a worker's libraries are to the reference: torch and our kit."""
        if name not in self._kits:
            import torch

            libraries = ModuleType("libraries")
            libraries.torch = torch  # type: ignore[attr-defined]
            libraries.ready_made = ready_made  # type: ignore[attr-defined]
            path = self._grader.course.folder("suites") / f"kit_{name}.py"
            if path.exists():
                libraries.kit = load_module(path, f"kit_{name}")  # type: ignore[attr-defined]
            self._kits[name] = libraries
        return self._kits[name]


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
