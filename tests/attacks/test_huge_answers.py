"""No check makes much of an answer that is large, before it knows that it is right.

Of a tensor of millions ``list()`` makes gigabytes, in the process that judges. Here
every check gets large answers to each of its calls, and a tensor that says so when
somebody walks through it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from grader.course import load_course
from grader.session import expect
from grader.session.case import Case, case_seed
from grader.session.lab import Lab
from grader.session.plugin import run_session
from grader.session.references import References

pytestmark = pytest.mark.slow

COURSE = load_course(Path(__file__).parents[2])
EXERCISES = [n for n, e in COURSE.exercises.items() if e.kind != "quiz"]
MANY, FEW = 200_000, 20_000
HUGE = {
    "numbers": torch.zeros(MANY),
    "ids": torch.zeros(MANY, dtype=torch.int64),
    "rows of one": torch.zeros(MANY, 1),
    "pairs": torch.zeros(MANY, 2, dtype=torch.int64),
    "two rows": torch.zeros(2, MANY),
}
FORMS = {
    "alone": lambda v: v,
    "pair": lambda v: (v, v),
    "list of a pair": lambda v: [(v, v)],
    "three": lambda v: (v, v, v),
}
CASES = [
    pytest.param(value, form, id=f"{name}, {kind}")
    for name, value in HUGE.items()
    for kind, form in FORMS.items()
]


class Walked(BaseException):
    """Nothing that a check may catch."""


class Answers:
    """In place of a hand-in or its libraries: this one answer to everything."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def _last_inputs(self) -> list[Any]:
        return []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._answer

    def state_dict(self) -> dict[str, Any]:
        return {}

    grads = state_dict

    def load_state_dict(self, state: Any) -> None: ...

    def zero_grad(self) -> None: ...

    def module_names(self) -> list[str]:
        return []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name[:1].isupper() or name in ("kit", "torch", "nn", "ready_made"):
            made = Answers(self._answer)
            return made if name[:1].islower() else lambda *a, **k: made
        return lambda *args, **kwargs: self._answer


class NoMachine:
    """A lab whose training is done at once."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.figures: list[Any] = []

    def reporter(self, *words: Any) -> None: ...

    def reseed(self, number: int) -> None: ...

    def cpu_used_s(self) -> float:
        return 0.0

    cpu_allowed_s = cpu_used_s


def watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walking through a large tensor, or making a list of it, ends the check."""
    for name in ("__iter__", "unbind", "tolist"):
        real = getattr(torch.Tensor, name)

        def walk(self: torch.Tensor, *args: Any, real: Any = real) -> Any:
            if self.dim() and max(self.shape) > FEW:
                raise Walked
            return real(self, *args)

        monkeypatch.setattr(torch.Tensor, name, walk)


@pytest.fixture(scope="module")
def suites() -> dict[str, Any]:
    found: dict[str, Any] = {}
    run_session(COURSE, EXERCISES, lambda plugin: found.update(plugin.checks))
    return found


@pytest.mark.parametrize(("value", "form"), CASES)
@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_check_walks_through_a_large_answer(
    suites: dict[str, Any], monkeypatch, exercise: str, value: Any, form: Any
):
    reference = References(COURSE).module(exercise)
    watch(monkeypatch)
    walking = []
    for check in suites[exercise]:
        student = Answers(form(value))
        offered = {
            "student": student,
            "worker": student,
            "case": Case(case_seed("huge", exercise, check.id)),
            "reference": reference,
            "lab": Lab(NoMachine()),
        }
        try:
            check.item.function(**{n: offered[n] for n in check.item.fixturenames})
        except Walked:
            walking.append(check.id)
        except Exception:
            pass  # an expectation that fails, or the suite's own stumble

    assert walking == []


def test_a_large_tensor_is_compared_with_a_list_without_becoming_one(monkeypatch):
    watch(monkeypatch)

    for given in (torch.zeros(MANY), torch.zeros(3, MANY)):
        with pytest.raises(AssertionError, match="result: expected"):
            expect.equal(given, [0, 0, 0])


def test_a_tensor_of_one_id_is_as_good_as_a_list_of_it():
    expect.equal(torch.tensor([3]), [3])
    expect.equal(torch.tensor(3), 3)
    with pytest.raises(AssertionError, match="result: expected"):
        expect.equal(torch.tensor(3), [3])


@pytest.mark.skipif(
    not os.path.exists("/proc/self/statm"), reason="where the system tells of memory"
)
def test_memory_of_a_session_has_an_end():
    program = (
        "from grader.session.__main__ import limit_memory\n"
        "limit_memory(256 << 20)\n"
        "kept = bytearray(64 << 20)\n"
        "try:\n"
        "    bytearray(1 << 30)\n"
        "except MemoryError:\n"
        "    print('stopped')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=COURSE.root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "stopped\n"
