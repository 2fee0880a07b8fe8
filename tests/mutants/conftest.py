"""A course of one exercise, and a grader that only runs what it trusts anyhow."""

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader.results import CheckResult, ExerciseResult, Outcome
from grader.session.graded import Graded

SOLUTION = '''"""Twice its argument."""


def double(x):
    """Twice ``x``."""
    # BEGIN SOLUTION double (TODO 1 of 1): what it says. About 1 line.
    return 2 * x
    # END SOLUTION
'''
Check = Callable[[Callable[[Any], Any], str], bool]


@dataclass
class FakeGrader:
    """Grades as the real one does, in this process: the answers here are ours."""

    root: Path
    checks: dict[str, Check]
    kind: str = "code"
    trained: set[str] = field(default_factory=set)  # checks that only labs=True runs
    ran: list[tuple[str, bool]] = field(default_factory=list)  # by a worker
    inside: bool = False  # in this process, at present
    limits: Any = field(default_factory=SimpleNamespace)

    @property
    def course(self) -> Any:
        exercises = {"double": SimpleNamespace(kind=self.kind)}
        return SimpleNamespace(folder=self.root.joinpath, exercises=exercises)

    @property
    def references(self) -> Any:
        """The checks know what is right: of a solution its path is enough."""
        path = self.root / "solutions"
        return SimpleNamespace(path=lambda name: path / f"{name}.py")

    def use(self, seed: str, limits: dict[str, float]) -> None:
        self.seed = seed

    def run_exercise(
        self,
        submission: Any,
        name: str,
        *,
        labs: bool = True,
        until_failure: bool = False,
        inside: bool = False,
        only: Container[str] | None = None,
        go_on: Callable[[CheckResult, list[Any]], bool] | None = None,
    ) -> Graded:
        self.inside = inside
        if not inside:
            self.ran.append((submission.id, labs))
        scope: dict[str, Any] = {}
        exec(submission.files[name].text, scope)
        results = []
        for id_, check in self.checks.items():
            if id_ in self.trained and not labs:
                continue
            if only is not None and id_ not in only:
                continue
            passed = self._holds(check, scope["double"])
            outcome = Outcome.PASSED if passed else Outcome.FAILED
            points = Decimal(1)
            results.append(CheckResult(id_, id_, True, points, points, outcome))
            if go_on is not None and not go_on(results[-1], []):
                break
            if until_failure and not passed:
                break
        total = Decimal(len(results))
        return Graded(ExerciseResult("", total, total, "passed", results))

    def _holds(self, check: Check, double: Callable[[Any], Any]) -> bool:
        try:
            return check(double, self.seed)
        except (TypeError, ZeroDivisionError):
            return False


@pytest.fixture
def fake(tmp_path: Path) -> FakeGrader:
    """A grader whose checks notice every change of the solution."""
    for part in ("solutions", "variants/double", "mistakes/double"):
        (tmp_path / part).mkdir(parents=True)
    (tmp_path / "solutions" / "double.py").write_text(SOLUTION, encoding="utf-8")
    (tmp_path / "mistakes" / "double" / "mistakes.toml").touch()
    checks = {"two": lambda f, s: f(2) == 4, "one": lambda f, s: f(1) == 2}
    return FakeGrader(tmp_path, checks)
