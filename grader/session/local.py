"""A suite run in this process, with no boundary at all.

For authors of suites and for the benchmark: it shows what the checks alone
cost. It trusts the code that it runs; hand-ins never come this way.

    python -m grader.session.local EXERCISE [FILE]
"""

from __future__ import annotations

import importlib.util
import inspect
import math
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.course import Course, load_course
from grader.results import Figure
from grader.session.arrays import as_sent_and_now, has_numbers
from grader.session.case import case_seed
from grader.session.case_arrays import kind_of_case
from grader.session.draws import copy
from grader.session.failing import ExpectationError
from grader.session.lab import Lab
from grader.worker import ready_made, states

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch


def load_module(path: Path, name: str) -> ModuleType:
    """Import the file at ``path`` as module ``name`` (registered first)."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class LocalHandle:
    """An object of the student's with the snapshots that a handle offers."""

    def __init__(self, target: Any, owner: LocalStudent) -> None:
        self._target = target
        self._owner = owner

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the object."""
        return self._owner._call(self._target, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._target, name)
        return lambda *args, **kwargs: self._owner._call(method, args, kwargs)

    def load_state_dict(self, state: dict[str, torch.Tensor]) -> None:
        """Set parameters by name."""
        self._target.load_state_dict(states.completed(state, self._target))

    def state_dict(self) -> dict[str, torch.Tensor]:
        """A copy of every parameter and buffer."""
        return {k: v.detach().clone() for k, v in self._target.state_dict().items()}

    def grads(self) -> dict[str, torch.Tensor | None]:
        """A copy of every parameter's gradient."""
        return {
            k: None if p.grad is None else p.grad.clone()
            for k, p in self._target.named_parameters(remove_duplicate=False)
        }

    def module_names(self) -> list[str]:
        """Class names of the module tree."""
        return [type(m).__name__ for m in self._target.modules()]


class LocalStudent:
    """The ``student`` (or ``worker``) fixture over a module in this process."""

    def __init__(self, target: Any, handles: bool = False) -> None:
        self._target = target
        self._inputs: list[tuple[Any, Any]] = []
        self._handles = handles

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        if isinstance(value, ModuleType):
            return type(self)(value, handles=self._handles)
        if inspect.isclass(value) and not issubclass(value, BaseException):
            return lambda *a, **k: self._handle(self._call(value, a, k))
        return lambda *a, **k: self._call(value, a, k)

    def _handle(self, made: Any) -> LocalHandle:
        return made if isinstance(made, LocalHandle) else LocalHandle(made, self)

    def _last_inputs(self) -> list[tuple[Any, Any]]:
        return self._inputs

    def _call(self, target: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        given = [v for v in (*args, *kwargs.values()) if has_numbers(v)]
        before = [copy(v) for v in given]
        try:
            result = target(*_open(args), **_open(kwargs))
        except Exception as e:
            e.from_student = True  # type: ignore[attr-defined]
            e.kind = type(e).__name__  # type: ignore[attr-defined]
            raise
        self._inputs = [_fate(*pair) for pair in zip(before, given, strict=True)]
        result = _as_sent(result)
        if self._handles and not _is_data(result):
            return LocalHandle(result, self)
        return result


class LocalMachine:
    """What a lab needs, in this process: see ``lab.Machine``."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.figures: list[Figure] = []

    def reporter(self, label: str, done: int, most: int | None) -> Callable[..., None]:
        """Nobody watches here."""
        return lambda step, steps, value: None

    def reseed(self, number: int) -> None:
        """Seed torch's own generator for try ``number``."""
        torch.default_generator.manual_seed(number)

    def cpu_used_s(self) -> float:
        """Not measured here."""
        return 0.0

    def cpu_allowed_s(self) -> float:
        """No limit here."""
        return math.inf


def _open(value: Any) -> Any:
    if isinstance(value, LocalHandle):
        return value._target
    if isinstance(value, list | tuple):
        return type(value)(_open(v) for v in value)
    if isinstance(value, dict):
        return {k: _open(v) for k, v in value.items()}
    return value


def _as_sent(value: Any) -> Any:
    """An answer as it would arrive: numpy's own numbers as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return np.asarray(value)
    if type(value) in (list, tuple):
        return type(value)(_as_sent(v) for v in value)
    return value


def _fate(before: Any, after: Any) -> tuple[Any, Any]:
    """An input as it was given and as it is now, as the runner tells it."""
    if isinstance(before, np.ndarray):
        return as_sent_and_now(before, lambda _: after.tobytes())
    return before, after.detach()


def _is_data(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(_is_data(v) for v in value)
    if isinstance(value, dict):
        return all(_is_data(v) for v in value.values())
    plain = (bool, int, float, str, bytes, torch.dtype, type(None))
    return has_numbers(value) or isinstance(value, plain)


def checks_of(module: ModuleType) -> list[Callable[..., None]]:
    """The ``check_*`` functions of a suite, in the order written."""
    return [f for n, f in vars(module).items() if n.startswith("check_")]


def libraries_of(course: Course, exercise: str) -> ModuleType:
    """What the ``worker`` fixture offers to the suites of ``exercise``."""
    found = ModuleType("libraries")
    found.torch = torch  # type: ignore[attr-defined]
    found.ready_made = ready_made  # type: ignore[attr-defined]
    kit = course.folder("suites") / f"kit_{exercise}.py"
    if kit.exists():
        found.kit = load_module(kit, f"kit_{exercise}")  # type: ignore[attr-defined]
    return found


def run(
    root: Path, exercise: str, path: Path, seed: str = "local"
) -> list[tuple[Any, ...]]:
    """Run every check of ``exercise`` on the file at ``path``.

    Returns:
        (id, outcome, points, detail, marks) for each check, in order.
    """
    course = load_course(root)
    student = load_module(path, exercise)
    reference = load_module(course.folder("solutions") / f"{exercise}.py", "reference")
    libs = libraries_of(course, exercise)
    rows = []
    machine = LocalMachine()
    for suite in course.suite_paths(exercise):
        for check in checks_of(load_module(suite, suite.stem)):
            name = check.__name__.removeprefix("check_")
            offers = {
                "student": LocalStudent(student),
                "worker": LocalStudent(libs, handles=True),
                "case": kind_of_case(course.libraries)(case_seed(seed, exercise, name)),
                "reference": reference,
                "lab": Lab(machine),
            }
            wanted = inspect.signature(check).parameters
            marks = {m.name: m.args for m in getattr(check, "pytestmark", [])}
            outcome, detail = _run_one(check, {n: offers[n] for n in wanted})
            rows.append((name, outcome, marks.get("points", ("?",))[0], detail, marks))
    return rows


def _run_one(check: Callable[..., None], fixtures: dict[str, Any]) -> tuple[str, str]:
    try:
        check(**fixtures)
    except ExpectationError as e:
        return "failed", f"{e.what}: expected {e.expected}; got {e.got}"
    except NotImplementedError:
        return "not_written", ""
    except BaseException as e:  # whatever student code raises, the next check runs
        return "error", f"{type(e).__name__}: {e}"
    return "passed", ""


def main(argv: list[str]) -> None:
    """Print each check's outcome for one file."""
    root = Path.cwd()
    path = Path(argv[1]) if len(argv) > 1 else root / "solutions" / f"{argv[0]}.py"
    for name, outcome, points, detail, _ in run(root, argv[0], path):
        print(f"{outcome:12} {points!s:>4}  {name}  {detail}")


if __name__ == "__main__":
    main(sys.argv[1:])
