"""What a course says in both languages itself: titles, mistakes, quizzes."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Iterator

from grader.course import Course
from grader.errors import CourseError
from grader.quiz.model import load_answers, load_quiz


def course_pairs(course: Course) -> dict[str, str]:
    """English -> Chinese of everything that has both beside each other.

    What is not at hand (mistakes and answers, on a student's machine) is left out.
    """
    pairs = [(course.title, course.title_zh)]
    pairs += [(c.title, c.title_zh) for c in course.chapters]
    pairs += [(e.title, e.title_zh) for e in course.exercises.values()]
    for name in course.exercises:
        pairs += _mistakes(course, name)
    for name in course.quizzes:
        pairs += _quiz(course, name)
    return {english: chinese for english, chinese in pairs if english and chinese}


def _mistakes(course: Course, name: str) -> Iterator[tuple[str, str]]:
    path = course.folder("mistakes") / name / "mistakes.toml"
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).values()
    except (OSError, ValueError):  # validate reports a broken one
        return
    for entry in (e for e in entries if isinstance(e, dict)):
        for key in ("title", "hint"):
            yield str(entry.get(key, "")), str(entry.get(f"{key}_zh", ""))


def _quiz(course: Course, name: str) -> Iterator[tuple[str, str]]:
    with contextlib.suppress(CourseError):
        for question in load_quiz(course, name).questions:
            yield question.title, question.title_zh
    with contextlib.suppress(CourseError):
        for answer in load_answers(course, name).values():
            yield answer.why, answer.why_zh
