"""Run one check of a hand-in and judge how it ended."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

from grader.course import Course, Exercise
from grader.errors import EnvironmentFault
from grader.results import CheckResult, Outcome
from grader.session import verdict
from grader.session.case import Case, case_seed
from grader.session.case_arrays import kind_of_case
from grader.session.checks import Check, needed, waits_for
from grader.session.journal import fates
from grader.session.plugin import GradingPlugin
from grader.session.references import References
from grader.session.runner import Runner
from grader.session.workers.faults import (
    StudentError,
    WorkerLostError,
    WorkerTimeoutError,
)
from grader.submission import Submission, as_submission


class Attempts:
    """Runs checks under one seed; what was drawn for a check is drawn once.

    Args:
        course: whose checks.
        plugin: that collected them.
        references: the solutions, where they are at hand.
        runner: makes what runs the calls of a solution.
        isolation: level of the workers.
        seed: of every draw.
    """

    def __init__(
        self,
        course: Course,
        plugin: GradingPlugin,
        references: References,
        runner: Callable[[Submission, Exercise], Runner],
        isolation: str,
        seed: str,
    ) -> None:
        self._course = course
        self._plugin = plugin
        self._references = references
        self._runner = runner
        self._isolation = isolation
        self._seed = seed
        self._caches: dict[str, dict[str, Any]] = {}
        self._suite_is_sound: dict[str, bool] = {}

    def in_turn(
        self,
        check: Check,
        runner: Runner,
        submission: Submission,
        before: list[CheckResult],
    ) -> CheckResult:
        """Run ``check``, unless one that it waits for has not passed."""
        other = waits_for(check, before)
        if other is not None:
            runner.calls = []
            return verdict.waiting(check, other)
        return self.run(check, runner, submission)

    def run(self, check: Check, runner: Runner, submission: Submission) -> CheckResult:
        """Run ``check`` now; what can be the machine's fault is tried once more."""
        start = time.monotonic()
        error = self._once(check, runner, patient=False)
        if _is_unsure(error) and not runner.allowance.hurried:
            # A wall limit can be the machine's fault: once more, alone.
            runner.end_check()
            error = self._once(check, runner, patient=True)
        if _is_ours(error):
            # A full memory may have been that of what earlier checks held.
            runner.end_check()
            gc.collect()
            error = self._once(check, runner, patient=True)
        result = verdict.judge(check, error, submission, self._isolation)
        runner.failure = verdict.signature(error)
        if result.outcome is Outcome.FAILED:
            runner.calls += fates(runner.last_inputs())
        result.cpu_s, result.output = runner.end_check()
        verdict.say_where(result, submission, check.exercise)
        result.figures = runner.figures
        result.wall_s = time.monotonic() - start
        if result.outcome is Outcome.TIMEOUT:
            runner.allowance.count_timeout()
        if result.outcome is Outcome.GRADER_ERROR and self._is_answers_fault(
            check, error, submission
        ):
            assert error is not None
            verdict.unusable(result, error)
        if result.outcome in (Outcome.FAILED, Outcome.ERROR):
            result.inputs = verdict.input_tables(runner.asked)
        return result

    def _once(
        self, check: Check, runner: Runner, *, patient: bool
    ) -> BaseException | None:
        try:
            runner.begin_check(check, patient=patient)
        except Exception as e:
            return e
        return self._plugin.run(
            check, runner, self.case(check), self._references.module(check.exercise)
        )

    def case(self, check: Check) -> Case:
        """The case of ``check`` under this gradebook's seed."""
        cache = self._caches.setdefault(f"{check.exercise}/{check.id}", {})
        kind = kind_of_case(self._course.libraries)
        return kind(case_seed(self._seed, check.exercise, check.id), cache)

    def _is_answers_fault(
        self, check: Check, error: BaseException | None, submission: Submission
    ) -> bool:
        """Whose exception it is that came out of the suite's own lines.

        The same check on the reference's answers decides: where that passes,
        the answer was of a form the suite cannot use, or of a size: a session's
        memory has a limit. Where there is no reference (a student's own machine)
        it is taken so.
        """
        if isinstance(error, EnvironmentFault | OSError):
            return False
        path = self._references.path(check.exercise)
        if not path.exists():
            return True
        solution = as_submission(path, check.exercise)
        handed_in = submission.files[check.exercise].data
        if solution.files[check.exercise].data == handed_in:
            return False
        if isinstance(error, MemoryError):  # what there is now, not what there was
            return self._passes(check, solution)
        key = f"{check.exercise}/{check.id}"
        if key not in self._suite_is_sound:
            self._suite_is_sound[key] = self._passes(check, solution)
        return self._suite_is_sound[key]

    def _passes(self, check: Check, solution: Submission) -> bool:
        """Whether ``check``, after those it needs, passes for our own solution."""
        runner = self._runner(solution, self._course.exercises[check.exercise])
        try:
            errors = [
                self._once(c, runner, patient=True)
                for c in needed(self._plugin.checks[check.exercise], check.id)
            ]
        finally:
            runner.end_worker()
        return errors[-1] is None


def _is_ours(error: BaseException | None) -> bool:
    """What a session's own misfortune gives; the student's is a ``StudentError``."""
    lost = isinstance(error, WorkerLostError | MemoryError)
    return lost and not isinstance(error, StudentError)


def _is_unsure(error: BaseException | None) -> bool:
    """A wall limit that was reached once, and is to be confirmed."""
    return isinstance(error, WorkerTimeoutError) and error.wall and not error.sure
