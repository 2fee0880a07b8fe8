"""What has to be graded for one submission, and how its result is put together."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grader.course import Course
from grader.gradebook import Gradebook, KeyMaker
from grader.gradebook.points import clamp, total
from grader.gradebook.reading import State
from grader.gradebook.rows import handin_fingerprint
from grader.release.manifest import order
from grader.results import ExerciseResult, SubmissionResult, has_grader_fault
from grader.submission import Submission


class Plan(msgspec.Struct):
    """``have`` is used again, ``todo`` must be graded.

    ``same`` is what the gradebook has when nothing at all has changed.
    """

    submission: Submission
    digest: str
    keys: dict[str, str]
    have: dict[str, ExerciseResult]
    todo: list[str]
    same: State | None = None

    @property
    def work(self) -> tuple[str, ...]:
        """Equal for submissions that need the very same work."""
        return tuple(self.keys[name] for name in self.todo)


class Planner:
    """Compares submissions with the gradebook.

    ``assigned`` are the exercises of a result: all that were ever asked for in
    this gradebook, so that every submission has the same maximum. ``selected``
    are those that this run may grade again when their key has changed.
    """

    def __init__(
        self,
        course: Course,
        book: Gradebook,
        keys: KeyMaker,
        *,
        assigned: Sequence[str],
        selected: Sequence[str],
        regrade: bool,
        isolation: str,
    ) -> None:
        self.course = course
        self.book = book
        self.keys = keys
        self.assigned = [name for name in course.exercises if name in assigned]
        self.selected = set(selected)
        self.regrade = regrade
        self.isolation = isolation
        self.seed = book.seed
        self.standing = book.standing
        # Graded in this run: --regrade does not do identical hand-ins twice.
        self.fresh: set[str] = set()

    def plan(self, submission: Submission) -> Plan:
        """Find out what of ``submission`` has to be graded."""
        digest = submission.digest()
        who = submission.id
        submission.aliases = self.standing.aliases.get(who, {})
        keys = {
            name: self.keys.key(digest, name, self.standing.extra(who, name))
            for name in self.assigned
        }
        plan = Plan(submission, digest, keys, {}, [])
        if not_gradable(submission):
            return plan
        state = self.book.state(submission.id)
        if (
            not self.regrade
            and state.status == "graded"
            and state.keys == keys
            and state.handin == handin_fingerprint(submission)
        ):
            plan.same = state
            return plan
        for name in self.assigned:
            found = self._reusable(name, keys[name])
            if found is None and name not in self.selected and state.digest == digest:
                # Not asked for, so an outdated result stays as it is.
                found = self.book.cached(state.keys.get(name, ""))
            if found is None:
                plan.todo.append(name)
            else:
                plan.have[name] = found
        return plan

    def time_factor(self, submission: str) -> float:
        """How much more time this student's code is given than others'."""
        return float(self.standing.time_factors.get(submission, 1))

    def _reusable(self, name: str, key: str) -> ExerciseResult | None:
        if self.regrade and name in self.selected and key not in self.fresh:
            return None
        return self.book.cached(key)

    def result(self, plan: Plan, reply: SubmissionResult | None) -> SubmissionResult:
        """Join what was kept and what was graded; the points are ours to sum up."""
        submission = plan.submission
        result = self._empty(submission)
        status = not_gradable(submission)
        if status:
            result.status, result.message = status, submission.error
            return result
        graded = reply.exercises if reply else {}
        for name in self.assigned:
            exercise = plan.have.get(name) or graded.get(name)
            if exercise is not None:
                exercise = self._checked(name, exercise, plan)
                result.exercises[name] = exercise
        if reply is not None:
            result.wall_s, result.cpu_s = reply.wall_s, reply.cpu_s
            result.warnings += [w for w in reply.warnings if w not in result.warnings]
        self._judge(result, reply)
        return result

    def _empty(self, submission: Submission) -> SubmissionResult:
        exercises = self.course.exercises
        return SubmissionResult(
            submission=submission.id,
            status="graded",
            score=None,
            max_score=total(exercises[name].points for name in self.assigned),
            late=lateness(submission),
            seed=self.seed,
            isolation=self.isolation,
            versions=self.keys.versions,
            bundle=submission.bundle,
            warnings=[*submission.warnings, *self._about_bundle(submission)],
        )

    def _about_bundle(self, submission: Submission) -> list[str]:
        """A sentence where the checks that the student saw were older ones."""
        made, now = submission.bundle, self.course.version
        if made is None or order(made) >= order(now):
            return []
        return [
            f"It was made with version {made} of the student bundle; this is {now}. "
            "Its public checks may have said something else."
        ]

    def _checked(
        self, name: str, exercise: ExerciseResult, plan: Plan
    ) -> ExerciseResult:
        """Never more points than the catalogue has, whatever the suites added up."""
        # The result may be that of an identical hand-in; its file's name is not.
        file = plan.submission.files.get(name)
        exercise.source = file.path if file else ""
        exercise.sha256 = file.sha256 if file else ""
        if name in plan.have:
            return exercise
        most = self.course.exercises[name].points
        for check in exercise.checks:
            check.points = clamp(check.points, check.max_points)
        exercise.score = clamp(exercise.score, most)
        exercise.max_score = most
        exercise.key = plan.keys[name]
        return exercise

    def _judge(self, result: SubmissionResult, reply: SubmissionResult | None) -> None:
        lacking = [name for name in self.assigned if name not in result.exercises]
        if reply is not None and reply.status == "grader_error":
            result.message = reply.message or "the session reported a grader error"
        elif has_grader_fault(result):
            result.message = "a check could not be carried out"
        elif lacking:
            result.message = f"the session left out {', '.join(lacking)}"
        else:
            result.score = total(e.score for e in result.exercises.values())
            result.raw_score = result.score
            return
        result.status = "grader_error"


def failure(planner: Planner, plan: Plan, message: str) -> SubmissionResult:
    """The result of a submission that could not be graded through our fault."""
    result = planner.result(plan, None)
    result.status, result.score, result.raw_score = "grader_error", None, None
    result.message = message
    return result


def not_gradable(submission: Submission) -> str:
    """Why there is nothing to grade: unreadable, missing, or an empty string."""
    if submission.error:
        return "unreadable"
    handed_in = submission.files or submission.blocked or submission.unused
    return "" if handed_in else "missing"


def lateness(submission: Submission) -> dict[str, str | bool | None] | None:
    """What is known about the time of a hand-in; None when nothing is."""
    if submission.submitted_at is None and submission.late is None:
        return None
    return {
        "submitted_at": submission.submitted_at,
        "time_source": submission.time_source,
        "marked_late": submission.late,
    }
