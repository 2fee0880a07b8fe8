"""One submission as a page of its own, for the student or for the TA."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.course import Course
from grader.report.editions import build
from grader.report.mistakes import MistakeTitles
from grader.report.order import first_steps
from grader.report.pages import render
from grader.report.paths import KINDS, report_path, write_atomic
from grader.results import SubmissionResult


def render_report(
    result: SubmissionResult,
    course: Course,
    edition: str,
    *,
    name: str = "",
    identical: Sequence[str] = (),
    mistakes: MistakeTitles | None = None,
) -> str:
    """The page of ``result`` as HTML text; equal inputs give equal text.

    Args:
        result: what grading produced.
        course: titles, order, policy.
        edition: "student" or "ta".
        name: the student's name, where known.
        identical: ids of identical hand-ins (TA's edition only).
        mistakes: titles of mistakes, to share between many calls.
    """
    view = build(
        result, course, edition, name=name, identical=identical, mistakes=mistakes
    )
    return render(
        "report.html",
        edition=view,
        ta=edition == "ta",
        steps=first_steps(view),
    )


def write_reports(
    out_dir: Path,
    result: SubmissionResult,
    course: Course,
    *,
    name: str = "",
    identical: Sequence[str] = (),
    mistakes: MistakeTitles | None = None,
) -> dict[str, Path]:
    """Write both editions below ``out_dir/reports``; each appears whole.

    Returns:
        {"ta": path, "student": path}.
    """
    paths = {}
    for kind in KINDS:
        page = render_report(
            result,
            course,
            kind,
            name=name,
            identical=identical,
            mistakes=mistakes,
        )
        paths[kind] = report_path(Path(out_dir), result.submission, kind)
        write_atomic(paths[kind], page)
    return paths
