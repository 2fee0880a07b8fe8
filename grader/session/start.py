"""Start a session: its workers first, so that both sides import at once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

from grader.course import Course
from grader.worker.warm import uncollected, warm_torch

if TYPE_CHECKING:
    from grader.session.grade import Grader
    from grader.session.workers.exchange import Workers


def plan_for(level: str, course: Course) -> dict[str, Any]:
    """The zygote's plan: how to lock down."""
    if level == "none":
        return {"level": "none"}
    from grader.isolation import ladder
    from grader.isolation.probe import cached_probe

    # Wherever the course lies: what a worker may read must not hold it.
    parts = ("suites", "mistakes", "solutions", "variants", "quiz")
    secrets = [*ladder.course_secrets(), *map(course.folder, parts)]
    return ladder.plan_for(level, cached_probe(), hidden=secrets)


def start_workers(level: str, course: Course, fresh: bool) -> Workers:
    """What workers come from: a warm zygote to fork, or programs started anew.

    Args:
        level: of isolation; a worker started anew knows "none" alone.
        course: names the libraries to warm.
        fresh: no forking, as on systems where a warm process must not be forked.
    """
    if level == "none" and (fresh or not sys.platform.startswith("linux")):
        from grader.session.workers.fresh import FreshWorkers

        return FreshWorkers(course.libraries)
    from grader.session.workers.zygote import Zygote

    return Zygote(course.libraries, partial(plan_for, level, course))


class Session:
    """Workers that warm up while this process imports the rest."""

    def __init__(
        self,
        course: Course,
        exercises: list[str],
        isolation: str,
        public_only: bool = False,
        fresh: bool = False,
    ) -> None:
        self.course = course
        self.exercises = exercises
        self.isolation = isolation
        self.public_only = public_only
        self.workers = start_workers(isolation, course, fresh)

    def __enter__(self) -> Session:
        """Itself; its workers end with the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End every worker."""
        self.workers.close()

    def run(
        self,
        work: Callable[[Grader], None],
        seed: str = "local",
        *,
        warm: bool = False,
    ) -> None:
        """Collect the suites, then let ``work`` grade.

        Args:
            work: gets what grades.
            seed: of every draw.
            warm: use once what is slow at first, while the workers do so as well:
                for many hand-ins.

        Raises:
            GraderError: a suite is broken, no worker can be started, ...
        """
        with uncollected():
            from grader.isolation import canary
            from grader.session import tensors

            tensors.choose(self.course.libraries)
            from grader.session.grade import Grader
            from grader.session.plugin import GradingPlugin, run_session

            if warm and "torch" in self.course.libraries:
                warm_torch()
        compute_as_workers()

        def with_plugin(plugin: GradingPlugin) -> None:
            grader = Grader(self.course, plugin, self.workers, seed, self.isolation)
            grader.form_only = self.public_only
            if self.isolation != "none":
                canary.release(grader.canary)
            work(grader)

        run_session(self.course, self.exercises, with_plugin, self.public_only)


def compute_as_workers() -> None:
    """Judge on one core and with the plain kernels, as workers compute.

    Inputs are small: a second thread only waits for its turn, for a hundred times
    as long as the work on a busy machine. And sums then do not depend on the host.
    """
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)
        torch.backends.mkldnn.enabled = False
