"""The usual home-made way: one pytest process for each submission.

A plugin with the fixtures of a suite, all in the pytest process itself:

    BENCH_HANDIN=folder python -m pytest -p grader.bench.baseline SUITES...

It trusts what it imports and has no limits: a yardstick of speed, nothing else.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

from grader.course import Course, load_course
from grader.session.case import Case, case_seed
from grader.session.checks import MARKERS
from grader.session.local import LocalStudent, load_module


def pytest_configure(config: pytest.Config) -> None:
    """The marks of a suite, one thread."""
    torch.set_num_threads(1)
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


@pytest.fixture(scope="session")
def _course() -> Course:
    return load_course(Path(os.environ["BENCH_COURSE"]))


@pytest.fixture(name="exercise", scope="module")
def _exercise(request: pytest.FixtureRequest) -> str:
    return str(request.module.pytestmark.args[0])


@pytest.fixture(scope="module")
def student(exercise: str) -> LocalStudent:
    """The submission's module, imported right here."""
    path = Path(os.environ["BENCH_HANDIN"]) / f"{exercise}.py"
    return LocalStudent(load_module(path, exercise))


@pytest.fixture(scope="module")
def worker(exercise: str, _course: Course) -> LocalStudent:
    """The library torch and the exercise's kit."""
    libraries = ModuleType("libraries")
    libraries.torch = torch  # type: ignore[attr-defined]
    kit = _course.folder("suites") / f"kit_{exercise}.py"
    if kit.exists():
        libraries.kit = load_module(kit, "kit")  # type: ignore[attr-defined]
    return LocalStudent(libraries, handles=True)


@pytest.fixture
def case(exercise: str, request: pytest.FixtureRequest) -> Case:
    """Draws, as in a session."""
    return Case(case_seed("bench", exercise, request.node.name))


@pytest.fixture(scope="module")
def reference(exercise: str, _course: Course) -> Any:
    """The solution's module."""
    path = _course.folder("solutions") / f"{exercise}.py"
    return load_module(path, f"reference_{exercise}")
