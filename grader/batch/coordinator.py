"""The coordinator: plans each submission, hands it out, records what comes back.

Everything that is known lies in the gradebook after each submission, so the
batch may end at any line, and the next one goes on from there.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from pathlib import Path

import msgspec

from grader.batch.backend import Backend, ConnectionLost
from grader.batch.interrupt import stopping
from grader.batch.limits import LimitScale
from grader.batch.local import local_backend
from grader.batch.plan import Plan, Planner, failure
from grader.batch.results_file import write_results
from grader.batch.stream import chosen, how_many
from grader.batch.summary import BatchSummary, Done, OnResult
from grader.course import Course
from grader.errors import EnvironmentFault, GraderError
from grader.gradebook import Gradebook, KeyMaker
from grader.results import SubmissionResult
from grader.session.protocol import Reply, Request
from grader.submission import Submission

IN_FLIGHT = 2  # submissions handed out for each slot: one runs, one waits
DEAD_STARTS = 3  # so many submissions without one answer: the sessions are broken
POLL_S = 0.2  # how soon Ctrl-C is noticed

_reply_decoder = msgspec.json.Decoder(Reply)


def grade_batch(
    submissions: Iterable[Submission],
    course: Course,
    gradebook: Gradebook,
    *,
    jobs: int = 1,
    backend: Callable[[], Backend] | None = None,
    regrade: bool = False,
    only: Sequence[str] = (),
    exercises: Sequence[str] = (),
    isolation: str = "full",
    on_result: OnResult | None = None,
    results: Path | None = None,
    arguments: Sequence[str] = (),
    earlier: bool = False,
) -> BatchSummary:
    """Grade ``submissions`` into ``gradebook``.

    Args:
        submissions: may be a generator; few are held at a time.
        course: what is asked, and where its suites are.
        gradebook: receives every result, and gives those that it has.
        jobs: sessions on this machine; unused when ``backend`` is given.
        backend: makes the place where sessions run.
        regrade: run again what the gradebook already has.
        only: ids of submissions; all others are left alone.
        exercises: names of exercises that may be run; all when empty.
        isolation: level that the sessions are asked for.
        on_result: called in this thread after each submission.
        results: where results.jsonl goes; beside the gradebook when None.
        arguments: the command line, for the log.
        earlier: these are earlier attempts: what counts as the last one stays.

    Raises:
        EnvironmentFault: no session can be started. What was recorded stays.
    """
    selected = [e.name for e in course.select(list(exercises))]
    assigned = gradebook.widen_setting("exercises", selected)
    keys = KeyMaker(course, isolation=isolation, seed=gradebook.seed)
    planner = Planner(
        course,
        gradebook,
        keys,
        assigned=assigned,
        selected=selected,
        regrade=regrade,
        isolation=isolation,
    )
    summary = BatchSummary(
        run_id=gradebook.begin_run(
            arguments, isolation=isolation, versions=keys.versions, limits=course.limits
        ),
        total=how_many(submissions, frozenset(only)),
    )
    make = backend or local_backend(course, isolation=isolation, jobs=jobs)
    state = "failed"
    with stopping() as stop:
        batch = _Batch(planner, gradebook, summary, make, stop, on_result, earlier)
        try:
            batch.run(chosen(submissions, frozenset(only)))
            state = "interrupted" if summary.interrupted else "finished"
        finally:
            batch.close()
            # Also when it failed: what was graded can be read. Where that fails too
            # (a full disk), what went wrong first is what is told.
            with contextlib.suppress(*[Exception] if state == "failed" else []):
                summary.identical = gradebook.identical()
                gradebook.finish_run(summary.run_id, state, summary)
                write_results(
                    gradebook, results or gradebook.path.with_name("results.jsonl")
                )
    return summary


class _Batch:
    """The state of one running batch; lives in the coordinator's thread."""

    def __init__(
        self,
        planner: Planner,
        book: Gradebook,
        summary: BatchSummary,
        make: Callable[[], Backend],
        stop: threading.Event,
        on_result: OnResult | None,
        earlier: bool = False,
    ) -> None:
        self.planner = planner
        self.earlier = earlier
        self.book = book
        self.summary = summary
        self.stop = stop
        self.on_result = on_result
        self.started = time.monotonic()
        self._make = make
        self._backend: Backend | None = None
        self._scale = LimitScale(book, planner.assigned)
        self._running: dict[Future[bytes], Plan] = {}
        # Hand-ins that need the very work that is running, by that work.
        self._waiting: dict[tuple[str, ...], list[Submission]] = {}
        self._held = 0
        self._answers = 0
        self._dead = 0

    def run(self, submissions: Iterator[Submission]) -> None:
        """Grade them all, or until somebody wishes to stop."""
        for submission in submissions:
            self._take(submission)
            while self._full() and not self.stop.is_set():
                self._collect()
            if self.stop.is_set():
                break
        while self._running and not self.stop.is_set():
            self._collect()
        if self.stop.is_set():
            self._say_how_to_resume()

    def close(self) -> None:
        """Abandon what is still running."""
        if self._backend is not None:
            self._backend.close()
            self._backend = None
        self.summary.wall_s = time.monotonic() - self.started

    def _say_how_to_resume(self) -> None:
        summary = self.summary
        summary.interrupted = True
        of = "" if summary.total is None else f" of {summary.total}"
        summary.message = (
            f"Stopped after {summary.done}{of} submissions; all of them are kept in "
            f"{self.book.path}. Run the same command again to go on from there."
        )

    def _full(self) -> bool:
        if self._backend is None:
            return False
        return len(self._running) + self._held >= IN_FLIGHT * self._backend.slots

    def _take(self, submission: Submission) -> None:
        plan = self.planner.plan(submission)
        if plan.todo and plan.work in self._waiting:
            self._waiting[plan.work].append(submission)
            self._held += 1
        elif plan.todo:
            self._hand_out(plan)
        elif plan.same:
            same = plan.same
            self._count(
                Done(
                    submission.id, same.status, same.score, same.max_score, reused=True
                )
            )
        else:
            self._finish(plan, self.planner.result(plan, None))

    def _hand_out(self, plan: Plan) -> None:
        if self._backend is None:
            self._backend = self._make()
        request = Request(
            id=plan.submission.id,
            submission=plan.submission,
            exercises=plan.todo,
            seed=self.planner.seed,
            limits=self._scale.known,
            time_factor=self.planner.time_factor(plan.submission.id),
        )
        future = self._backend.submit(msgspec.json.encode(request))
        self._running[future] = plan
        self._waiting[plan.work] = []

    def _collect(self) -> None:
        """Record what has come back; wait a moment when nothing has."""
        done, _ = wait(self._running, timeout=POLL_S, return_when=FIRST_COMPLETED)
        for future in done:
            plan = self._running.pop(future)
            self._finish(plan, self._outcome(future, plan))
            twins = self._waiting.pop(plan.work)
            self._held -= len(twins)
            for submission in twins:
                self._take(submission)

    def _outcome(self, future: Future[bytes], plan: Plan) -> SubmissionResult:
        try:
            reply = _reply_decoder.decode(future.result())
        except (ConnectionLost, CancelledError) as e:
            raise ConnectionLost(
                "the connection to the sessions was lost; everything recorded so far "
                f"is kept, run the same command again to go on. {e}".rstrip()
            ) from e
        except (GraderError, msgspec.DecodeError) as e:
            return self._dead_session(plan, e)
        self._answers += 1
        self._scale.learn(reply.limits, plan)
        result = self.planner.result(plan, reply.result)
        if result.status == "graded":
            self.planner.fresh.update(plan.work)
        return result

    def _dead_session(self, plan: Plan, cause: Exception) -> SubmissionResult:
        self._dead += 1
        if not self._answers and self._dead >= DEAD_STARTS:
            raise EnvironmentFault(f"no session can be started: {cause}") from cause
        return failure(self.planner, plan, f"no session survived it: {cause}")

    def _finish(self, plan: Plan, result: SubmissionResult) -> None:
        changed = self.book.record(
            self.summary.run_id, result, plan.submission, earlier=self.earlier
        )
        done = Done(
            result.submission,
            result.status,
            result.score,
            result.max_score,
            result.message,
            reused=not plan.todo,
            changed=changed,
        )
        self._count(done)

    def _count(self, done: Done) -> None:
        summary = self.summary
        summary.done += 1
        summary.wall_s = time.monotonic() - self.started
        if done.status == "graded":
            summary.reused += done.reused
            summary.graded += not done.reused
        elif done.status == "grader_error":
            summary.grader_errors.append(done.submission)
        summary.unreadable += done.status == "unreadable"
        summary.missing += done.status == "missing"
        summary.failing += done.score is not None and done.score < done.max_score
        if self.on_result:
            self.on_result(done, summary)
