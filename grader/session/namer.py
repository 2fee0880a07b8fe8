"""Naming the mistake from behaviour.

The named mistakes of an exercise are graded once for a seed, as submissions of
their own, and their journals kept: what each check asked and what came back. A
failing submission was asked the same, so its answers are compared with theirs;
agreement on every failing call that tells a mistake from the reference names it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import torch

from grader.errors import CourseError
from grader.results import CheckResult, Outcome
from grader.session.runner import Call

if TYPE_CHECKING:
    from grader.session.grade import Graded, Grader

RTOL, ATOL = 1e-4, 1e-6


class Mistake(msgspec.Struct, forbid_unknown_fields=True):
    """What ``mistakes.toml`` says of one named mistake."""

    title: str
    hint: str
    fails: list[str]
    title_zh: str = ""
    hint_zh: str = ""
    costs_at_most: int = 100


@dataclass
class _Known:
    """A mistake's or the reference's behaviour: journal and verdict by check."""

    calls: dict[str, list[Call]] = field(default_factory=dict)
    results: dict[str, CheckResult] = field(default_factory=dict)


def load_mistakes(folder: Path) -> dict[str, Mistake]:
    """The named mistakes of one exercise, from ``folder/mistakes.toml``.

    Raises:
        CourseError: the file is wrong, or a mistake has no module beside it.
    """
    path = folder / "mistakes.toml"
    if not path.exists():
        return {}
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        mistakes = msgspec.convert(raw, dict[str, Mistake])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as e:
        raise CourseError(f"{path}: {e}.") from e
    for name in mistakes:
        if not (folder / f"{name}.py").exists():
            raise CourseError(f"{path}: {name} has no file {name}.py beside it.")
    return mistakes


class Namer:
    """Compares a failing submission's answers with those of the named mistakes."""

    def __init__(self, grader: Grader) -> None:
        self._grader = grader
        self._known: dict[str, dict[str, _Known]] = {}
        self._mistakes: dict[str, dict[str, Mistake]] = {}
        self._busy = False

    def name(self, exercise: str, graded: Graded) -> None:
        """Set ``mistake`` and its hint on the failing checks, where one is sure."""
        failing = [c for c in graded.result.checks if c.outcome in _TELLING]
        if self._busy or not failing:
            return
        known = self._behaviour(exercise)
        found = self._match(known, graded, failing)
        if len(found) != 1:
            return
        mistake = self._mistakes[exercise][found[0]]
        fails = known[found[0]].results
        for check in failing:
            if fails[check.id].outcome is not Outcome.PASSED:
                check.mistake = found[0]
                check.hint = mistake.hint

    def _behaviour(self, exercise: str) -> dict[str, _Known]:
        if exercise in self._known:
            return self._known[exercise]
        from grader.session.grade import as_submission

        folder = self._grader.course.folder("mistakes") / exercise
        self._mistakes[exercise] = load_mistakes(folder)
        known = {}
        paths = {name: folder / f"{name}.py" for name in self._mistakes[exercise]}
        solution = self._grader.solution_path(exercise)
        if solution.exists():
            paths[""] = solution
        self._busy = True
        on_check, self._grader.on_check = self._grader.on_check, None
        try:
            for name, path in paths.items():
                graded = self._grader.grade_exercise(
                    as_submission(path, exercise, name), exercise
                )
                results = {c.id: c for c in graded.result.checks}
                known[name] = _Known(graded.calls, results)
        finally:
            self._busy = False
            self._grader.on_check = on_check
        self._known[exercise] = known
        return known

    def _match(
        self, known: dict[str, _Known], graded: Graded, failing: list[CheckResult]
    ) -> list[str]:
        """Mistakes that agree on everything that this submission got wrong."""
        found = []
        reference = known.get("", _Known())
        for name, behaviour in known.items():
            if name and self._agrees(behaviour, reference, graded, failing):
                found.append(name)
        return found

    @staticmethod
    def _agrees(
        mistake: _Known, reference: _Known, graded: Graded, failing: list[CheckResult]
    ) -> bool:
        telling = 0
        for check in graded.result.checks:
            theirs = mistake.results.get(check.id)
            if theirs is None or theirs.outcome is not check.outcome:
                return False
            mine, his = graded.calls.get(check.id, []), mistake.calls.get(check.id, [])
            if len(mine) != len(his) or not all(map(_same_answer, mine, his)):
                return False
            right = reference.calls.get(check.id, [])
            wrong = len(right) != len(his) or not all(map(_same_answer, right, his))
            failed = theirs.outcome is not Outcome.PASSED
            telling += wrong or failed
        return telling > 0


_TELLING = (Outcome.FAILED, Outcome.ERROR)


def _same_answer(a: Call, b: Call) -> bool:
    return a.target[-1] == b.target[-1] and same(a.value, b.value)


def same(a: Any, b: Any) -> bool:
    """Equal within tolerance; NaN equals NaN, an object equals an object."""
    if isinstance(a, torch.Tensor):
        if type(b) is not torch.Tensor or a.shape != b.shape or a.dtype != b.dtype:
            return False
        if not a.dtype.is_floating_point:
            return bool((a == b).all())
        x, y = a.detach().double(), b.detach().double()
        close = (x - y).abs() <= ATOL + RTOL * y.abs()
        return bool((close | (x == y) | (x.isnan() & y.isnan())).all())
    if isinstance(a, float) and isinstance(b, float):
        return a == b or abs(a - b) <= ATOL + RTOL * abs(b) or (a != a and b != b)
    if isinstance(a, list | tuple):
        if type(a) is not type(b) or len(a) != len(b):
            return False
        return all(map(same, a, b))
    if isinstance(a, dict):
        return (
            type(b) is dict
            and a.keys() == b.keys()
            and all(same(a[k], b[k]) for k in a)
        )
    if isinstance(a, bool | int | str | bytes | type(None)):
        return type(a) is type(b) and a == b
    return type(a) is type(b)
