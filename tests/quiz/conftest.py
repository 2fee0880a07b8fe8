"""A small quiz of three questions, and ways to answer it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from small_quiz import small_course

from grader.course import Course
from grader.submission import Source, Submission


@pytest.fixture
def small(tmp_path: Path) -> Course:
    """The course of the small quiz, in a folder of its own."""
    return small_course(tmp_path / "course")


@pytest.fixture
def hand_in() -> Callable[[str], Submission]:
    """A hand-in that holds one sheet."""

    def make(text: str) -> Submission:
        source = Source("ideas", "ideas.toml", text.encode(), "sheet", text)
        return Submission("lee", {"ideas": source})

    return make
