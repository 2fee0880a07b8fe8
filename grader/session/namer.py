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

from grader.errors import CourseError
from grader.results import CheckResult, Outcome
from grader.session import arrays
from grader.session.runner import Call
from grader.submission import as_submission

if TYPE_CHECKING:
    import torch

    from grader.session.grade import Graded, Grader
else:
    from grader.session.tensors import torch

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
    """Compares a failing submission's answers with those of the named mistakes.

    Mistakes are run lazily and once for a seed: those that do not fail what the
    submission fails are never run, of the others first one telling check, and
    only those that agree on it in full.
    """

    def __init__(self, grader: Grader) -> None:
        self._grader = grader
        self._mistakes: dict[str, dict[str, Mistake]] = {}
        self._known: dict[tuple[str, str], _Known] = {}
        self._samples: dict[tuple[str, str, str], tuple[CheckResult, list[Call]]] = {}

    def name(self, exercise: str, graded: Graded) -> None:
        """Set ``mistake`` and its hint on the failing checks, where one is sure."""
        from grader.session import recorded

        checks = graded.result.checks
        if not any(c.outcome in _TELLING for c in checks):
            return
        path = self._grader.course.folder("mistakes") / exercise / recorded.RECORDED
        if path.exists():  # a student's machine has their answers, not the mistakes
            recorded.name(recorded.load(path.read_bytes()), graded)
            return
        found = self._agreeing(exercise, graded)
        if len(found) != 1:
            return
        mistake = self._mistakes[exercise][found[0]]
        fails = self._known[exercise, found[0]].results
        for check in checks:
            theirs = fails.get(check.id)
            failed = theirs is not None and theirs.outcome is not Outcome.PASSED
            if check.outcome in _TELLING and failed:
                check.mistake = found[0]
                check.hint = mistake.hint

    def _agreeing(self, exercise: str, graded: Graded) -> list[str]:
        """Mistakes that answer as this submission did, everywhere."""
        folder = self._grader.course.folder("mistakes") / exercise
        if exercise not in self._mistakes:
            self._mistakes[exercise] = load_mistakes(folder)
        mine = {c.id: c for c in graded.result.checks}
        failing = {i for i, c in mine.items() if c.outcome is not Outcome.PASSED}
        found = []
        for name, mistake in self._mistakes[exercise].items():
            # On a student's own machine only the public ones are there.
            fails = [check for check in mistake.fails if check in mine]
            if not fails or not failing.issuperset(fails):
                continue
            path = folder / f"{name}.py"
            if self._sample_agrees(exercise, name, path, fails[0], graded):
                theirs = self._behaviour(exercise, name, path)
                reference = self._reference(exercise)
                if _agrees(theirs, reference, graded):
                    found.append(name)
        return found

    def _sample_agrees(
        self, exercise: str, name: str, path: Path, check: str, graded: Graded
    ) -> bool:
        key = (exercise, name, check)
        if key not in self._samples:
            submission = as_submission(path, exercise, name)
            self._samples[key] = self._grader.grade_check(submission, exercise, check)
        result, calls = self._samples[key]
        mine = next(c for c in graded.result.checks if c.id == check)
        return result.outcome is mine.outcome and _same_answers(
            graded.calls.get(check, []), calls
        )

    def learn(self, exercise: str, name: str, graded: Graded) -> None:
        """A mistake that was run anyhow (by validate) need not be run again."""
        results = {c.id: c for c in graded.result.checks}
        self._known[exercise, name] = _Known(graded.calls, results)

    def _behaviour(self, exercise: str, name: str, path: Path) -> _Known:
        key = (exercise, name)
        if key not in self._known:
            submission = as_submission(path, exercise, name)
            # A mistake shows in the cheap checks; no training is spent on it.
            graded = self._grader.run_exercise(submission, exercise, labs=False)
            self.learn(exercise, name, graded)
        return self._known[key]

    def _reference(self, exercise: str) -> _Known:
        path = self._grader.solution_path(exercise)
        return self._behaviour(exercise, "", path) if path.exists() else _Known()


def _agrees(mistake: _Known, reference: _Known, graded: Graded) -> bool:
    """Same outcome and answers in every check, and not those of the reference."""
    telling = False
    for check in graded.result.checks:
        theirs = mistake.results.get(check.id)
        if theirs is None:  # a check of a lab that was not run for the mistake
            continue
        if theirs.outcome is not check.outcome:
            return False
        mine, his = graded.calls.get(check.id, []), mistake.calls.get(check.id, [])
        if not _same_answers(mine, his):
            return False
        if theirs.outcome is not Outcome.PASSED:
            telling |= not _same_answers(reference.calls.get(check.id, []), his)
    return telling


def _same_answers(mine: list[Call], theirs: list[Call]) -> bool:
    return len(mine) == len(theirs) and all(map(_same_answer, mine, theirs))


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
    if arrays.is_array(a):
        return arrays.same(a, b)
    if isinstance(a, float) and isinstance(b, float):
        return a == b or abs(a - b) <= ATOL + RTOL * abs(b) or (a != a and b != b)
    if isinstance(a, list | tuple):
        # A list where others return a tuple is no other mistake.
        if not isinstance(b, list | tuple) or len(a) != len(b):
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
