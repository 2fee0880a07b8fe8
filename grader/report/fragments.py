"""Parts of a page that occur by the thousand, written without the template engine.

A template takes 5 µs for each of its values, and the reports of a class hold
some million numbers and verdicts. What these functions return is escaped.
"""

from __future__ import annotations

import functools
from decimal import Decimal

import msgspec
from markupsafe import Markup, escape

from grader.lang import _
from grader.lang.current import said_now
from grader.report import words
from grader.report.numbers import Cell, Grid, Row, grid
from grader.report.views import CheckView, ExerciseView, FullView, TableView
from grader.results import Outcome

_tables = msgspec.msgpack.Decoder(TableView)

LOOK = "&#9654;"  # a triangle that points at the row


def numbers(table: TableView) -> Markup:
    """A table of numbers with its caption, shaded cells and notes."""
    # Both editions of a report show most of the tables.
    return _numbers(said_now(), msgspec.msgpack.encode(table))


@functools.lru_cache(maxsize=256)
def _numbers(now: object, data: bytes) -> Markup:
    layout = grid(_tables.decode(data))
    caption = escape(layout.caption)
    columns = "".join(f'<th scope="col">{c}</th>' for c in layout.columns)
    if layout.has_sums:
        columns += f'<th scope="col">{_("row sum")}</th>'
    rows = "".join(_row(row, layout.has_sums) for row in layout.rows)
    return Markup(
        f'<div class="scroll" role="group" tabindex="0" aria-label="{caption}">\n'
        f'<table class="numbers">\n<caption>{caption}</caption>\n'
        f"<thead><tr><td></td>\n{columns}</tr></thead>\n<tbody>\n{rows}"
        f"</tbody></table>\n{_notes(layout)}</div>\n"
    )


def _row(row: Row, has_sums: bool) -> str:
    start, mark = "<tr>", ""
    if row.highlight:
        start, mark = '<tr class="look">', f"{_('look here')} {LOOK} "
    total = f'<td class="sum">{row.sum}</td>' if has_sums else ""
    cells = "".join(map(_cell, row.cells))
    return f'{start}<th scope="row">{mark}{row.index}</th>{cells}{total}</tr>\n'


def _cell(cell: Cell) -> str:
    """One number; the class colours it, and the number itself stays readable."""
    shade = f"{'p' if cell.shade > 0 else 'n'}{abs(cell.shade)}"
    if cell.masked:
        return f'<td class="{shade} masked">({cell.text})</td>'
    return f'<td class="{shade}">{cell.text}</td>'


def _notes(layout: Grid) -> str:
    notes = [_("( ) hatched: masked out")] if layout.has_mask else []
    notes += [_("n/f: not a finite number")] if layout.has_not_finite else []
    notes += [str(escape(layout.cut))] if layout.cut else []
    return "".join(f'<p class="quiet">{note}</p>' for note in notes)


def check_rows(exercise: ExerciseView, ta: bool) -> Markup:
    """The rows of an exercise's table of all checks; seconds are the TA's."""
    now = said_now()
    rows = []
    for check in exercise.checks:
        name = check.id if ta and isinstance(check, FullView) else ""
        start = _check_row(
            now,
            check.title,
            name,
            check.public,
            check.outcome,
            check.points,
            check.max_points,
        )
        rows.append(start + (_seconds(check) if ta else "") + "</tr>\n")
    return Markup("".join(rows))


@functools.lru_cache(maxsize=4096)
def _check_row(
    now: object,
    title: str,
    name: str,
    public: bool,
    outcome: Outcome,
    points: Decimal,
    most: Decimal,
) -> str:
    """Most of a class's rows are equal. ``now``: the words in which it is said."""
    shown = escape(title)
    shown += Markup(' <code class="quiet">{}</code>').format(name) if name else ""
    kind = escape(_("public") if public else _("hidden"))
    verdict = f'<span class="{outcome.value}">{escape(words.verdict(outcome))}</span>'
    share = escape(
        _("{some} of {all}", some=words.points(points), all=words.points(most))
    )
    return (
        f'<tr><th scope="row">{shown}</th>\n<td>{kind}</td>\n<td>{verdict}</td>\n'
        f'<td class="num" data-label="{_("Points")}">{share}</td>'
    )


def _seconds(check: CheckView) -> str:
    assert isinstance(check, FullView)
    return f'<td class="num" data-label="{_("Seconds")}">{check.wall_s:.2f}</td>'
