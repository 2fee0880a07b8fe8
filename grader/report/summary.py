"""The end of a batch on a terminal: what to look at, and which page to open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from grader.course import Course
from grader.report import words
from grader.report.stats import CheckStats, ClassStats, Row
from grader.results import SubmissionResult

ALL_SHOWN = 30  # a larger batch lists only what needs a look
LISTED = 20


def print_batch_summary(
    console: Console,
    results: Iterable[SubmissionResult],
    course: Course,
    *,
    identical: Sequence[Sequence[str]] = (),
    names: dict[str, str] | None = None,
    index: Path | str | None = None,
) -> None:
    """Print the class in one screen.

    Args:
        console: where to; its width and colours are respected.
        results: all of the batch; read once, nothing large is kept.
        course: gives titles and the order of exercises.
        identical: groups of ids that handed in the same bytes.
        names: id -> name, where known.
        index: the class page that was written, named last.
    """
    stats = ClassStats(course, names)
    for result in results:
        stats.add(result)
    print_class(console, stats, identical=identical, index=index)


def print_class(
    console: Console,
    stats: ClassStats,
    *,
    identical: Sequence[Sequence[str]] = (),
    index: Path | str | None = None,
) -> None:
    """``print_batch_summary`` of results that have been counted already."""
    console.print(Text(_headline(stats), "bold"), soft_wrap=True)
    rows = stats.rows
    if len(rows) > ALL_SHOWN:
        rows = [r for r in rows if _needs_a_look(r)]
    if rows:
        _print_rows(console, rows)
    for text in _notes(stats, identical):
        console.print(text, soft_wrap=not console.is_terminal)
    if index is not None:
        console.print(Text(f"open {index}", "bold"), soft_wrap=True)


def _headline(stats: ClassStats) -> str:
    counts = stats.statuses
    parts = [
        f"{counts[status]} {words.SUBMISSION_WORDS[status]}{_plural(status, counts)}"
        for status in words.SUBMISSION_WORDS
        if counts.get(status)
    ]
    text = f"{len(stats.rows)} submissions: {', '.join(parts) or 'none'}"
    middle = stats.middle()
    if middle is None:
        return text
    mean, median = map(words.points, middle)
    most = words.points(stats.max_score)
    return f"{text}; mean {mean}, median {median} of {most}"


def _plural(status: str, counts: dict[str, int]) -> str:
    return "s" if status == "grader_error" and counts[status] > 1 else ""


def _needs_a_look(row: Row) -> bool:
    return row.score is None or bool(row.trouble)


def _print_rows(console: Console, rows: list[Row]) -> None:
    grid = Grid(box=None, pad_edge=False, show_edge=False, header_style="bold")
    grid.add_column("submission", overflow="fold", max_width=28)
    grid.add_column("status", no_wrap=True)
    grid.add_column("points", justify="right", no_wrap=True)
    grid.add_column("note", overflow="fold")
    for row in rows[: max(LISTED, ALL_SHOWN)]:
        status = words.SUBMISSION_WORDS.get(row.status, row.status)
        colour = "" if row.status == "graded" else "magenta"
        score = f"{words.points(row.score)}/{words.points(row.max_score)}"
        name = Text(words.person(row.id, row.name))
        grid.add_row(name, Text(status, colour), Text(score), Text(_note(row)))
    with console.capture() as caught:
        console.print(grid)
    for line in caught.get().splitlines():
        console.out(line.rstrip(), highlight=False)
    if len(rows) > max(LISTED, ALL_SHOWN):
        console.print(f"  and {len(rows) - max(LISTED, ALL_SHOWN)} more")


def _note(row: Row) -> str:
    if row.grader_errors:
        return f"our fault: {row.grader_errors[0]}"
    if row.message:
        return row.message
    if row.trouble:
        return f"crashed or timed out: {', '.join(row.trouble)}"
    extra = len(row.warnings) - 1
    more = f" (and {extra} more)" if extra > 0 else ""
    return f"{row.warnings[0]}{more}" if row.warnings else ""


def _notes(stats: ClassStats, identical: Sequence[Sequence[str]]) -> list[Text]:
    notes = [Text(alarm_words(c), "magenta") for c in stats.alarms[:LISTED]]
    if identical:
        people = sum(len(g) for g in identical)
        plural = "s" if len(identical) > 1 else ""
        notes.append(
            Text(f"{people} identical hand-ins in {len(identical)} group{plural}")
        )
    return notes


def alarm_words(check: CheckStats) -> str:
    """Why a check may be at fault rather than the submissions."""
    return (
        f"look at this check first: {check.exercise}: {check.title} "
        f"({check.alone} fail only this one in the exercise, "
        f"{check.beside} pass all of it)"
    )
