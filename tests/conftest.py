"""Fixtures that every test may use."""

from pathlib import Path

import pytest

from grader.course import Course, load_course

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder: tests read it and never write to it."""
    return ROOT


@pytest.fixture(scope="session")
def course() -> Course:
    """The course of this repository."""
    return load_course(ROOT)
