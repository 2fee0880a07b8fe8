"""Start a session: the zygote first, then torch and pytest, so both import at once."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from grader.course import Course
from grader.session.zygote import Zygote

if TYPE_CHECKING:
    from grader.session.grade import Grader


def plan_for(level: str, course: Course) -> dict[str, Any]:
    """The zygote's plan: what to warm, and how to lock down."""
    plan: dict[str, Any] = {"level": "none"}
    if level != "none":
        from grader.isolation import ladder

        # Wherever the course lies: what a worker may read must not hold it.
        parts = ("suites", "mistakes", "solutions", "variants")
        secrets = [*ladder.course_secrets(), *map(course.folder, parts)]
        plan = ladder.plan_for(level, hidden=secrets)
    return plan | {"libraries": course.libraries}


class Session:
    """A zygote that warms up while this process imports the rest."""

    def __init__(
        self,
        course: Course,
        exercises: list[str],
        isolation: str,
        public_only: bool = False,
    ) -> None:
        self.course = course
        self.exercises = exercises
        self.isolation = isolation
        self.public_only = public_only
        self.zygote = Zygote(plan_for(isolation, course))

    def __enter__(self) -> Session:
        """Itself; the zygote ends with the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the zygote and every worker with it."""
        self.zygote.close()

    def run(self, work: Callable[[Grader], None], seed: str = "local") -> None:
        """Collect the suites, then let ``work`` grade.

        Raises:
            GraderError: a suite is broken, no worker can be started, ...
        """
        from grader.isolation import canary
        from grader.session.grade import Grader
        from grader.session.plugin import GradingPlugin, run_session

        def with_plugin(plugin: GradingPlugin) -> None:
            grader = Grader(self.course, plugin, self.zygote, seed, self.isolation)
            if self.isolation != "none":
                canary.release(grader.canary)
            work(grader)

        run_session(self.course, self.exercises, with_plugin, self.public_only)
