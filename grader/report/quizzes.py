"""The questions of a quiz as each reader may see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.course import Course
from grader.errors import CourseError
from grader.lang import sentence
from grader.quiz.model import Answer, load_answers
from grader.report.clean import clean_line, clean_text
from grader.report.views import CheckView, FullView
from grader.results import CheckResult


def checks(
    name: str, results: Sequence[CheckResult], course: Course, kind: str
) -> list[CheckView]:
    """One view a question: right or wrong to all, what is right not to all.

    A student sees their own answer. The right one, and why, is the TA's; it is
    the student's too once ``quiz_explanations`` is true in course.toml.
    """
    explained = kind == "ta" or course.policy.quiz_explanations
    reasons = _reasons(course, name) if explained else {}
    return [_view(check, explained, reasons) for check in results]


def _reasons(course: Course, name: str) -> Mapping[str, Answer]:
    # A report must come out even where the answers are not at hand.
    try:
        return load_answers(course, name)
    except CourseError:
        return {}


def _view(
    check: CheckResult, explained: bool, reasons: Mapping[str, Answer]
) -> FullView:
    reason = reasons.get(check.id)
    return FullView(
        id=clean_line(check.id, 120),
        title=clean_line(sentence(check.title)),
        public=True,
        outcome=check.outcome,
        points=check.points,
        max_points=check.max_points,
        message=clean_text(sentence(check.message), 2000),
        got=clean_text(check.got, 2000),
        expected=clean_text(check.expected, 2000) if explained else "",
        hint=clean_text(sentence(reason.why), 2000) if reason else "",
        wall_s=check.wall_s,
    )
