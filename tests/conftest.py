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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first: no process is left alone with one at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder: tests read it and never write to it."""
    return ROOT


@pytest.fixture(scope="session")
def course() -> Course:
    """The course of this repository."""
    return load_course(ROOT)
