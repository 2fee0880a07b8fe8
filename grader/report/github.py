"""A result for GitHub Actions: annotations on the student's lines, a job summary.

All text goes through the report's student edition, which has no control
characters, and is escaped here: nothing that a student writes can become a
workflow command or Markdown of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.lang import _
from grader.report.views import CheckView, Edition, ExerciseView

MOST = 10  # annotations of one kind that GitHub shows for a step


def error_lines(edition: Edition, folder: str) -> list[str]:
    """Workflow commands, one for each failed check, on the line it failed at.

    Args:
        edition: the student's.
        folder: of the exercises, relative to the repository, with ``/``.
    """
    lines = []
    for exercise in edition.exercises:
        if exercise.status in ("not_written", "missing"):
            continue
        for check in _failed(exercise):
            place = {"file": f"{folder}/{exercise.source or exercise.name + '.py'}"}
            line = getattr(check, "line", None)
            if line:
                place["line"] = str(line)
            place["title"] = f"{exercise.name}: {check.title}"
            told = ",".join(f"{k}={_property(v)}" for k, v in place.items())
            lines.append(f"::error {told}::{_data(_message(check))}")
    return lines[:MOST]


def _failed(exercise: ExerciseView) -> list[CheckView]:
    return [c for c in exercise.checks if not c.passed]


def _message(check: CheckView) -> str:
    parts = [
        f"{words}{text}"
        for words, text in (
            ("", getattr(check, "message", "")),
            (_("expected:") + " ", getattr(check, "expected", "")),
            (_("got:") + " ", getattr(check, "got", "")),
            (_("hint:") + " ", getattr(check, "hint", "")),
        )
        if text
    ]
    return "\n".join(parts) or check.title


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(edition: Edition) -> str:
    """The job summary, Markdown: a table, then the reasons."""
    passed, total = edition.count(public=True)
    lines = [
        f"## {_cell(edition.course)}",
        "",
        _(
            "Public checks: **{passed} of {total}**; hidden checks decide the rest.",
            passed=passed,
            total=total,
        ),
        "",
        f"| {_('exercise')} | {_('public checks')} | {_('points')} |",
        "|---|---|---|",
        *_rows(edition),
    ]
    for exercise in edition.exercises:
        if exercise.status in ("not_written", "missing"):
            continue
        lines += _reasons(exercise)
    return "\n".join(lines) + "\n"


def _rows(edition: Edition) -> Iterator[str]:
    for exercise in edition.exercises:
        done = sum(c.passed for c in exercise.checks)
        if exercise.status in ("not_written", "missing"):
            count = _("not written yet")
        else:
            count = _("{some} of {all}", some=done, all=len(exercise.checks))
        points = f"{exercise.score:f}/{exercise.max_score:f}"
        yield f"| {_cell(exercise.title)} (`{exercise.name}`) | {count} | {points} |"


def _reasons(exercise: ExerciseView) -> Iterator[str]:
    failed = _failed(exercise)
    if not failed:
        return
    yield from ("", f"### {_cell(exercise.title)}", "")
    for check in failed:
        hint = getattr(check, "hint", "")
        yield f"- {_cell(check.title)}" + (f" *{_cell(hint)}*" if hint else "")


def _cell(text: str) -> str:
    """Text that is no Markdown and no HTML, on one line."""
    for sign in "\\`*_{}[]<>()#|!~":
        text = text.replace(sign, f"&#{ord(sign)};")
    return " ".join(text.split())
