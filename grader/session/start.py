"""Start a session: the zygote first, then torch and pytest, then calibration."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from grader.course import Course
from grader.session.protocol import Settings
from grader.session.zygote import Zygote

if TYPE_CHECKING:
    from grader.session.grade import Grader


def plan_for(level: str, course: Course) -> dict[str, Any]:
    """The zygote's plan: what to warm, and how to lock down."""
    plan: dict[str, Any] = {"level": "none"}
    if level != "none":
        from grader.isolation import ladder

        plan = ladder.plan_for(level)
    return plan | {"libraries": course.libraries}


class Starting:
    """A zygote that warms up while this process imports the rest."""

    def __init__(self, course: Course, settings: Settings) -> None:
        self.course = course
        self.settings = settings
        self.zygote = Zygote(plan_for(settings.isolation, course))

    def run(self, work: Callable[[Grader], None]) -> None:
        """Collect the suites, then let ``work`` grade.

        Raises:
            GraderError: a suite is broken, no worker can be started, ...
        """
        from grader.session.plugin import GradingPlugin, run_session

        def with_plugin(plugin: GradingPlugin) -> None:
            work(self._grader(plugin))

        run_session(self.course, self.settings.exercises, with_plugin)

    def _grader(self, plugin: Any) -> Grader:
        from grader.session.grade import Grader
        from grader.session.runner import RunLimits

        configured = self.course.limits
        factor = self.settings.time_factor
        limits = RunLimits(
            check_cpu_s=configured.check_cpu_s * factor,
            wall_factor=configured.wall_factor,
            submission_cpu_s=configured.submission_cpu_s * factor,
            memory_mib=configured.memory_mib,
            per_check=dict(self.settings.limits or {}),
        )
        grader = Grader(
            self.course,
            plugin,
            self.zygote,
            seed=self.settings.seed,
            limits=limits,
            isolation=self.settings.isolation,
        )
        if self.settings.limits is None:
            calibrate(grader)
        return grader

    def close(self) -> None:
        """End the zygote."""
        self.zygote.close()


def calibrate(grader: Grader) -> None:
    """Scale limits with what the references take on this host.

    A check may use ``check_factor`` times what the solution took, and never
    less than ``check_cpu_s``: a slow host changes no verdict.
    """
    from grader.session.grade import as_submission

    configured = grader.course.limits
    for name in grader.plugin.checks:
        path = grader.solution_path(name)
        if not path.exists():
            continue
        graded = grader.grade_exercise(as_submission(path, name), name)
        for check in graded.result.checks:
            limit = check.cpu_s * configured.check_factor
            if limit > grader.limits.check_cpu_s:
                grader.limits.per_check[f"{name}/{check.id}"] = round(limit, 3)
