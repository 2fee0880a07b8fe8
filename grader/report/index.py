"""The class page: one self-contained file that links to every report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from grader.course import Course
from grader.report import plots
from grader.report.pages import render, static
from grader.report.paths import write_atomic
from grader.report.stats import ClassStats
from grader.results import SubmissionResult

LISTED = 100  # longer lists end in "and n more"; the table has them all
MISTAKES = 20
# Statuses in the order in which a reader wants them.
_STATUSES = ("graded", "grader_error", "unreadable", "missing")


def write_index(
    out_dir: Path,
    results: Iterable[SubmissionResult],
    course: Course,
    *,
    identical: Sequence[Sequence[str]] = (),
    names: dict[str, str] | None = None,
    sections: dict[str, str] | None = None,
    stamp: str = "",
) -> Path:
    """Write ``out_dir/index.html``; equal arguments give equal bytes.

    Args:
        out_dir: the folder that also holds ``reports/``.
        results: the whole class; read once, so a generator will do.
        course: titles and order.
        identical: groups of ids whose hand-ins are the same bytes.
        names: id -> name, where known.
        sections: id -> section of the class, where there is a roster.
        stamp: a line of text for the head of the page, such as a date.
    """
    path = Path(out_dir) / "index.html"
    page = render_index(
        results,
        course,
        identical=identical,
        names=names,
        sections=sections,
        stamp=stamp,
    )
    write_atomic(path, page)
    return path


def render_index(
    results: Iterable[SubmissionResult],
    course: Course,
    *,
    identical: Sequence[Sequence[str]] = (),
    names: dict[str, str] | None = None,
    sections: dict[str, str] | None = None,
    stamp: str = "",
) -> str:
    """The class page as HTML text; arguments as in ``write_index``."""
    stats = ClassStats(course, names, sections)
    for result in results:
        stats.add(result)
    return _render(stats, identical, stamp)


def write_class_page(
    path: Path, stats: ClassStats, *, identical: Sequence[Sequence[str]] = ()
) -> None:
    """``write_index`` of results that have been counted already."""
    write_atomic(path, _render(stats, identical, ""))


def _render(stats: ClassStats, identical: Sequence[Sequence[str]], stamp: str) -> str:
    course = stats.course
    counts = plots.bins(stats.scores, stats.max_score)
    return render(
        "index.html",
        scripts=(static("early.js"), static("index.js")),
        course=course.title,
        stamp=stamp,
        rows=stats.rows,
        statuses=_statuses(stats),
        sections=stats.sections,
        middle=stats.middle(),
        max_score=stats.max_score,
        exercises=stats.exercise_names(),
        nobodys=stats.nobodys(),
        named=any(row.name for row in stats.rows),
        attention=[r for r in stats.rows if r.score is None],
        alarms=stats.alarms,
        bins=counts,
        histogram=plots.histogram(counts, "Score distribution") if stats.scores else "",
        pass_rates=_pass_rates(stats, course),
        mistakes=_mistakes(stats),
        slowest=stats.slowest(),
        crashed=[r for r in stats.rows if r.trouble],
        identical=[list(group) for group in identical],
        listed=LISTED,
    )


def _statuses(stats: ClassStats) -> list[tuple[str, int]]:
    counts = stats.statuses
    order = [*_STATUSES, *sorted(set(counts) - set(_STATUSES))]
    return [(status, counts[status]) for status in order if status in counts]


def _pass_rates(stats: ClassStats, course: Course) -> list[dict[str, Any]]:
    parts = []
    for name in stats.exercise_names():
        checks = stats.ordered_checks(name)
        if not checks:
            continue
        title = course.exercises[name].title if name in course.exercises else name
        rows = [(c.title, c.passed, c.tried) for c in checks]
        plot = plots.pass_rates(rows, f"{title}: share of submissions that pass")
        parts.append({"title": title, "plot": plot, "checks": checks})
    return parts


def _mistakes(stats: ClassStats) -> list[tuple[str, str, int]]:
    ordered = sorted(stats.mistakes.items(), key=lambda item: (-item[1], item[0]))
    return [(name, title, count) for (name, title), count in ordered[:MISTAKES]]
