"""Questions and answers as typed, validated data."""

from __future__ import annotations

import functools
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import msgspec

from grader.course import Course, Strict
from grader.errors import CourseError

LETTERS = "abcdefgh"


class Question(Strict):
    """One question in both languages.

    ``kind``: single (one option is right), multiple (all that hold are to be
    chosen) or numeric. Options are named by their letter, in order.
    """

    id: str
    kind: Literal["single", "multiple", "numeric"]
    title: str
    title_zh: str
    ask: str
    ask_zh: str
    covers: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    options_zh: tuple[str, ...] = ()

    @property
    def letters(self) -> str:
        """The letters of the options: ``"abcd"``; empty for a number."""
        return LETTERS[: len(self.options)]


class Quiz(Strict):
    """A file of questions; each is worth ``points``."""

    schema: int
    points: Decimal
    questions: tuple[Question, ...]


class Answer(Strict):
    """What is right, and why.

    ``answer`` is a letter, a list of letters or a number; ``tolerance`` is the
    largest distance at which a number still counts.
    """

    answer: str | tuple[str, ...] | float
    why: str
    why_zh: str
    tolerance: float = 0.0

    @property
    def letters(self) -> frozenset[str]:
        """The right options; empty for a number."""
        return frozenset(() if isinstance(self.answer, float) else self.answer)

    @property
    def shown(self) -> str:
        """The right answer as people read it."""
        if isinstance(self.answer, float):
            return f"{self.answer:g}"
        return ", ".join(self.answer)


class _Answers(Strict):
    schema: int
    answers: dict[str, Answer]


def questions_path(course: Course, name: str) -> Path:
    """Where the questions of quiz ``name`` lie."""
    return course.folder("quiz") / f"questions_{name}.toml"


def answers_path(course: Course, name: str) -> Path:
    """Where its answers lie, on the teaching side."""
    return course.folder("quiz") / f"answers_{name}.toml"


def load_quiz(course: Course, name: str) -> Quiz:
    """The questions of quiz ``name``.

    Raises:
        CourseError: the file is missing or wrong.
    """
    quiz: Quiz = _load(questions_path(course, name), Quiz)
    return quiz


def load_answers(course: Course, name: str) -> dict[str, Answer]:
    """What is right, by the id of the question.

    Raises:
        CourseError: the file is missing (as on a student's machine) or wrong.
    """
    loaded: _Answers = _load(answers_path(course, name), _Answers)
    return loaded.answers


def _load(path: Path, kind: Any) -> Any:
    try:
        changed = path.stat().st_mtime_ns
    except OSError as e:
        raise CourseError(f"{path} does not exist; the quiz needs it.") from e
    return _parsed(path, kind, changed)


@functools.lru_cache(maxsize=8)
def _parsed(path: Path, kind: Any, changed: int) -> Any:
    """Read and convert; ``changed`` makes an edited file be read again."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        return msgspec.convert(raw, kind)
    except (OSError, ValueError, msgspec.ValidationError) as e:
        raise CourseError(f"{path}: {e}.") from e
