"""The pytest plugin: collect the suites once, run them for many submissions.

pytest gives collection, fixtures and the run protocol of an item; the loop is
ours, so that a session collects once and grades until there is no more work.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.course import Course
from grader.errors import SuiteError
from grader.session import checks
from grader.session.case import Case
from grader.session.checks import Check
from grader.session.lab import Lab
from grader.session.student import Remote, RemoteMachine

OURS = frozenset({"student", "worker", "case", "reference", "lab"})
MOST_CAUSES = 20  # exceptions behind an exception
NO_SOLUTION = "this check needs solutions/, which are not here."


class GradingPlugin:
    """Holds what the current check works with, and runs one check on demand."""

    def __init__(self, course: Course, work: Callable[[GradingPlugin], None]) -> None:
        self.course = course
        self._work = work
        self.checks: dict[str, list[Check]] = {}
        self.comparisons: dict[str, list[Check]] = {}
        self.failure: BaseException | None = None
        self.error: BaseException | None = None
        self.runner: Any = None
        self.case: Case | None = None
        self.reference_module: ModuleType | None = None

    # -- hooks ------------------------------------------------------------

    def pytest_configure(self, config: pytest.Config) -> None:
        """Make the marks of a suite known."""
        for marker in checks.MARKERS:
            config.addinivalue_line("markers", marker)

    def pytest_collectreport(self, report: Any) -> None:
        """A suite that does not import is our fault and stops everything."""
        if report.failed:
            last = str(report.longrepr).strip().splitlines()[-1:]
            self.failure = SuiteError(f"{report.nodeid} cannot be collected: {last}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Our own loop: collect once, grade until the work is done."""
        if self.failure is not None:
            return True
        try:
            self.checks = checks.group(session.items, self.course)
            self.comparisons = checks.comparisons(self.checks)
            self._work(self)
        except BaseException as e:  # raised again by run_session, outside pytest
            self.failure = e
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[Any]) -> Iterator[Any]:
        """Keep the first exception of an item; no text of it is needed."""
        if call.excinfo is not None and self.error is None:
            self.error = call.excinfo.value
        call.excinfo = None
        return (yield)

    # -- fixtures ---------------------------------------------------------

    @pytest.fixture(name="student")
    def student_fixture(self) -> Remote:
        """The submission's module, behind the boundary."""
        return Remote(self.runner, ["student"])

    @pytest.fixture(name="worker")
    def worker_fixture(self) -> Remote:
        """The worker's own libraries; what they make stays there."""
        return Remote(self.runner, ["lib"])

    @pytest.fixture(name="case")
    def case_fixture(self) -> Case:
        """Seeded draws of this check."""
        assert self.case is not None
        return self.case

    @pytest.fixture(name="lab")
    def lab_fixture(self) -> Lab:
        """What the checks of a lab share."""
        return Lab(RemoteMachine(self.runner))

    @pytest.fixture(name="reference")
    def reference_fixture(self) -> ModuleType:
        """The solution's module, run here."""
        if self.reference_module is None:
            raise SuiteError(NO_SOLUTION)
        return self.reference_module

    # -- running ----------------------------------------------------------

    def run(
        self,
        check: Check,
        runner: Any,
        case: Case,
        reference: ModuleType | None,
    ) -> BaseException | None:
        """Run one check; what it ended with (None: it passed)."""
        item = check.item
        if OURS.issuperset(item.fixturenames):
            return without_frames(self._call(item, runner, case, reference))
        self.runner, self.case, self.reference_module = runner, case, reference
        self.error = None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        error, self.error = self.error, None
        self.runner = self.case = self.reference_module = None
        return without_frames(error)

    @staticmethod
    def _call(
        item: Any, runner: Any, case: Case, reference: ModuleType | None
    ) -> BaseException | None:
        """Run a check that uses our fixtures alone: a call, with the same outcome.

        pytest's run protocol costs 1 ms an item, as much as many a check.
        """
        try:
            if reference is None and "reference" in item.fixturenames:
                raise SuiteError(NO_SOLUTION)
            offered = {
                "student": Remote(runner, ["student"]),
                "worker": Remote(runner, ["lib"]),
                "case": case,
                "reference": reference,
                "lab": Lab(RemoteMachine(runner)),
            }
            fixtures = {n: offered[n] for n in item.fixturenames}
            item.function(**fixtures)
        except KeyboardInterrupt:
            raise
        except BaseException as e:  # pytest's own outcomes are no Exception
            return e
        return None


def without_frames(error: BaseException | None) -> BaseException | None:
    """``error`` without the frames it passed, nor those of what led to it.

    They hold every answer of the check and, by the frames that called them, the
    error itself: a ring that lives until the collector's rare full pass.
    """
    part = error
    for _ in range(MOST_CAUSES):
        if part is None:
            break
        part.__traceback__ = None
        part = part.__cause__ or part.__context__
    return error


def suite_files(course: Course, exercises: list[str], public_only: bool) -> list[Path]:
    """The suites of these exercises, in course order."""
    found = [p for name in exercises for p in course.suite_paths(name)]
    return [p for p in found if not (public_only and p.name.startswith("hidden_"))]


def run_session(
    course: Course,
    exercises: list[str],
    work: Callable[[GradingPlugin], None],
    public_only: bool = False,
) -> None:
    """Collect the suites of ``exercises`` and let ``work`` grade with them.

    Raises:
        GraderError: a suite is broken, or ``work`` raised it.
    """
    plugin = GradingPlugin(course, work)
    files = suite_files(course, exercises, public_only)
    if not files and set(exercises) <= set(course.quizzes):
        work(plugin)  # quizzes alone need no suite
        return
    if not files:
        raise SuiteError("there are no suites for the exercises asked for.")
    here = Path(__file__).parent
    arguments = [
        *[str(f) for f in files],
        "-c", str(here / "pytest.ini"), "--rootdir", str(course.root),
        "--import-mode=importlib", "--assert=plain", "--capture=no",
        *[a for p in ("terminal", "cacheprovider", "logging", "unraisableexception",
          "threadexception", "faulthandler", "warnings", "junitxml", "doctest",
          "unittest", "pastebin", "nose", "stepwise", "setuponly", "setupplan",
          "hypothesispytest", "anyio", "typeguard", "timeout")
          for a in ("-p", f"no:{p}")],
    ]  # fmt: skip
    # Plugins of the environment have no business in a session.
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    sys.dont_write_bytecode = True
    code = pytest.main(arguments, plugins=[plugin])
    if plugin.failure is not None:
        raise plugin.failure
    if int(code) not in (0, 1, 5):
        raise SuiteError(f"pytest could not collect the suites (exit code {code}).")
