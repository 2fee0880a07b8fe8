"""Grade one submission: every exercise in its own worker, every check judged here."""

from __future__ import annotations

import time
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial

from grader import quiz
from grader.course import Course, Exercise
from grader.results import (
    CheckResult,
    Figure,
    Outcome,
    SubmissionResult,
)
from grader.session import totals
from grader.session.attempts import Attempts
from grader.session.case import case_seed
from grader.session.checks import waits_for, with_budgets
from grader.session.core import on_core
from grader.session.examples.explain import MOST_OF_ALL, Explainer
from grader.session.graded import Graded
from grader.session.journal import Call
from grader.session.limits import RunLimits, Spending
from grader.session.naming.learned import Shelf
from grader.session.naming.namer import Namer
from grader.session.plugin import GradingPlugin
from grader.session.references import References
from grader.session.runner import Runner
from grader.session.student import Remote
from grader.session.workers.exchange import Workers
from grader.session.workers.faults import (
    StudentError,
    WorkerFault,
)
from grader.session.workers.inside import InsideWorkers
from grader.submission import Source, Submission, as_submission
from grader.versions import library_versions
from grader.wire import Note


@dataclass
class Shown:
    """What the comparisons of a lab gave."""

    figures: list[Figure] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)


class Grader:
    """Grades submissions with the suites that a plugin has collected."""

    def __init__(
        self,
        course: Course,
        plugin: GradingPlugin,
        workers: Workers,
        seed: str,
        isolation: str,
    ) -> None:
        self.course = course
        self.plugin = plugin
        self.workers = workers
        self.inside = InsideWorkers()
        self.shelf: Shelf | None = None  # of mistakes, shared with other sessions
        self.isolation = isolation
        self.versions = library_versions(course)
        # Of a quiz, look only at which answers can be read: what is right is not here.
        self.form_only = False
        self.core: int | None = None  # to stay on, see ``core.on_core``
        self.most_examples = MOST_OF_ALL
        self.references = References(course)
        self._kits: dict[str, str | None] = {}
        self.compare = course.policy.comparisons
        # Whom to tell of a lab's progress: exercise, our words, the note.
        self.on_progress: Callable[[str, str, Note], None] | None = None
        self.seed = ""
        self.use(seed)

    def use(
        self,
        seed: str,
        limits: dict[str, float] | None = None,
        time_factor: float = 1.0,
    ) -> None:
        """Grade with this seed and these limits from now on.

        What was worked out once for a seed is kept while the seed stays.
        """
        configured = self.course.limits
        if seed != self.seed:
            self.seed = seed
            self.attempts = Attempts(
                self.course,
                self.plugin,
                self.references,
                self.runner,
                self.isolation,
                seed,
            )
            self._calibrated: set[str] = set()
            self._measured: dict[str, float] = {}
            self.namer = Namer(self)
            self.explainer = Explainer(self)
        self.limits = RunLimits(
            check_cpu_s=configured.check_cpu_s,
            import_cpu_s=configured.import_cpu_s,
            wall_factor=configured.wall_factor,
            submission_cpu_s=configured.submission_cpu_s * time_factor,
            memory_mib=configured.memory_mib,
            per_check=dict(limits or {}) if limits is not None else self._measured,
            time_factor=time_factor,
        )
        if limits is not None:
            self._calibrated = set(self.course.exercises)

    def calibrate(self, name: str) -> None:
        """Let limits grow with what the reference takes on this host.

        A check may use ``check_factor`` times the CPU of the solution, and never
        less than ``check_cpu_s``: a slow host changes no verdict.
        """
        path = self.references.path(name)
        if name in self._calibrated or not path.exists():
            return
        self._calibrated.add(name)
        # What has a budget of its own needs no measuring, and is expensive.
        graded = self.run_exercise(as_submission(path, name), name, labs=False)
        self.namer.learn(name, "", graded)
        for check in graded.result.checks:
            limit = check.cpu_s * self.course.limits.check_factor
            if limit > self.limits.check_cpu_s:
                self.limits.per_check[f"{name}/{check.id}"] = round(limit, 3)

    def canary(self, source: str) -> str:
        """What ``attack()`` of ``source`` answers, run as any submission is."""
        text = Source("canary", "canary.py", source.encode(), "py", source)
        spending = Spending(self.limits.submission_cpu_s, 1e9)
        runner = Runner(
            self.workers,
            Submission(id="canary", files={"canary": text}),
            "canary",
            asks=["attack"],
            seed=0,
            limits=self.limits,
            spending=spending,
            kit=None,
        )
        try:
            return str(Remote(runner, ["student"]).attack())
        except (WorkerFault, StudentError) as e:
            return f"stopped: {type(e).__name__}"
        finally:
            runner.end_worker()

    # -- a submission -----------------------------------------------------

    def grade(self, submission: Submission, exercises: list[str]) -> SubmissionResult:
        """The result of ``submission`` on ``exercises``; never raises for its sake."""
        start = time.monotonic()
        cpu_s = self.limits.submission_cpu_s
        spending = Spending(cpu_s, cpu_s * self.limits.wall_factor)
        result = SubmissionResult(
            submission=submission.id,
            status="graded",
            score=None,
            max_score=Decimal(0),
            seed=self.seed,
            isolation=self.isolation,
            bundle=submission.bundle,
            warnings=list(submission.warnings),
            versions=dict(self.versions),
        )
        examples = 0
        for name in exercises:
            if name in submission.files:
                self.calibrate(name)
            explain = examples < self.most_examples
            graded = self.grade_exercise(submission, name, spending, explain=explain)
            examples += graded.examples
            result.exercises[name] = graded.result
            result.cpu_s += graded.cpu_s
        totals.finish(result)
        result.wall_s = time.monotonic() - start
        return result

    def grade_exercise(
        self,
        submission: Submission,
        name: str,
        spending: Spending | None = None,
        *,
        labs: bool = True,
        explain: bool = False,
    ) -> Graded:
        """All checks of one exercise, with gating, deductions and named mistakes.

        Args:
            submission: what was handed in.
            name: of the exercise.
            spending: what the submission may still use.
            labs: also what trains.
            explain: also look for examples of what fails.
        """

        def then(graded: Graded, runner: Runner) -> None:
            self.namer.name(name, graded)
            if explain:
                graded.examples = self.explainer.explain(runner, graded)

        # What trains leaves nobody waiting for an answer.
        trains = self.course.exercises[name].kind == "lab"
        with on_core(None if trains else self.core):
            return self.run_exercise(submission, name, spending, labs=labs, then=then)

    def run_exercise(
        self,
        submission: Submission,
        name: str,
        spending: Spending | None = None,
        *,
        labs: bool = True,
        until_failure: bool = False,
        inside: bool = False,
        only: Container[str] | None = None,
        go_on: Callable[[CheckResult, list[Call]], bool] | None = None,
        then: Callable[[Graded, Runner], None] | None = None,
    ) -> Graded:
        """The same before any mistake is named.

        Args:
            submission: what was handed in.
            name: of the exercise.
            spending: what the submission may still use; a lab has its own.
            labs: also run what has a budget of its own, and what waits for it.
            until_failure: the first check that does not pass is the last one run;
                the result holds those that were run.
            inside: a file of our own, run in this process; a hand-in never is.
            only: of the checks, run no others.
            go_on: asked after each check; False makes it the last one run.
            then: gets what was graded while the worker is still there.
        """
        exercise = self.course.exercises[name]
        if exercise.kind == "quiz":
            judge = quiz.form_of if self.form_only else quiz.mark
            return Graded(judge(self.course, exercise, submission))
        checks = self.plugin.checks.get(name, [])
        if name not in submission.files:
            return Graded(totals.without_file(submission, exercise, checks))
        if only is not None:
            checks = [c for c in checks if c.id in only]
        left_out = set() if labs else with_budgets(checks)
        workers = self.inside if inside else self.workers
        runner = self.runner(submission, exercise, spending, workers=workers)
        calls: dict[str, list[Call]] = {}
        signatures: dict[str, str] = {}
        results: list[CheckResult] = []
        try:
            for check in checks:
                if check.id in left_out and not waits_for(check, results):
                    continue
                result = self.attempts.in_turn(check, runner, submission, results)
                calls[check.id] = runner.calls
                signatures[check.id] = runner.failure
                results.append(result)
                if until_failure and result.outcome is not Outcome.PASSED:
                    break
                if go_on is not None and not go_on(result, runner.calls):
                    break
            everything = labs and not until_failure
            shown = self._compare(runner, submission, results if everything else None)
            checks = [c for c in checks if c.id in calls]
            if only is None:  # of a few checks, none is a number perhaps
                totals.gate(checks, results)
            taken = self.course.policy.near_name_deduction
            found = totals.exercise_result(exercise, checks, results, runner, taken)
            found.comparisons = shown.figures
            found.warnings += shown.unfinished
            graded = Graded(found, calls, signatures, runner.allowance.cpu_s)
            if then is not None:
                then(graded, runner)
        finally:
            runner.end_worker()
        return graded

    def _compare(
        self, runner: Runner, submission: Submission, results: list[CheckResult] | None
    ) -> Shown:
        """The comparisons of a lab, where they are asked for: shown, never scored.

        What they draw is the student's to see, so code that has seen hidden inputs
        must not make it: they begin in a worker of their own.
        """
        shown = Shown()
        if not self.compare or results is None:
            return shown
        if not all(r.public for r in results):
            runner.end_worker()
        for check in self.plugin.comparisons.get(runner.exercise, []):
            if waits_for(check, results):
                continue
            result = self.attempts.run(check, runner, submission)
            shown.figures += result.figures
            if result.outcome is not Outcome.PASSED:
                shown.unfinished.append(f"Not compared: {check.title} {result.message}")
        return shown

    def runner(
        self,
        submission: Submission,
        exercise: Exercise,
        spending: Spending | None = None,
        limits: RunLimits | None = None,
        workers: Workers | None = None,
    ) -> Runner:
        """What runs the calls of one exercise; end its worker when done."""
        if exercise.cpu_s is not None:
            cpu_s = exercise.cpu_s * self.limits.time_factor
            spending = Spending(cpu_s, cpu_s * self.limits.wall_factor)
        elif spending is None:
            spending = Spending(self.limits.submission_cpu_s, 1e9)
        if exercise.name not in self._kits:
            kit = self.course.folder("suites") / f"kit_{exercise.name}.py"
            self._kits[exercise.name] = (
                kit.read_text(encoding="utf-8") if kit.exists() else None
            )
        runner = Runner(
            workers or self.workers,
            submission,
            exercise.name,
            asks=exercise.asks,
            seed=case_seed(self.seed, exercise.name, "worker"),
            limits=limits or self.limits,
            spending=spending,
            kit=self._kits[exercise.name],
        )
        if self.on_progress is not None:
            runner.tell = partial(self.on_progress, exercise.name)
        return runner
