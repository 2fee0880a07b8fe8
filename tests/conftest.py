"""Fixtures that every test may use."""

import os
from pathlib import Path

import pytest

from grader.course import Course, load_course
from grader.session.checks import MARKERS

ROOT = Path(__file__).resolve().parents[1]
# Tests read English, whatever language the machine speaks.
os.environ["LANGUAGE"] = "en"


def pytest_configure(config: pytest.Config) -> None:
    """Some tests import a suite: its marks must be known here too."""
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder: tests read it and never write to it."""
    return ROOT


@pytest.fixture(scope="session")
def course() -> Course:
    """The course of this repository."""
    return load_course(ROOT)
