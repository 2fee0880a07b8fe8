"""Heat maps of a failing check as inline SVG: small, quick, and with words.

Colours and hatching come from the page's style by class, so that they follow a
dark page and need no ``style`` attribute, which the content policy forbids.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from grader.lang import _
from grader.report.views import TableView

CELL = 26
LEFT, TOP = 22, 6
STEPS = 5  # shades between nothing and the largest
LEAST_COLUMNS = 3  # fewer are read faster as numbers
MOST = 12

Rows = Sequence[Sequence[float | None]]
Masked = Sequence[Sequence[bool]] | None


def of_table(table: TableView) -> Markup | None:
    """The heat map of weights: numbers from 0 to 1 with a mask over them."""
    values = [v for row in table.rows for v in row if v is not None]
    is_answer = table.masked is not None and "int" not in table.dtype
    if not is_answer or not values or max(map(len, table.rows)) < LEAST_COLUMNS:
        return None
    if table.dtype == "bool" or min(values) < 0 or max(values) > 1.0001:
        return None
    return draw(table.name, table.rows, table.masked, table.highlight)


def draw(
    title: str, rows: Rows, masked: Masked = None, highlight: int | None = None
) -> Markup:
    """An ``<svg>`` with a square for each number, and what it shows in words.

    Args:
        title: what the numbers are.
        rows: numbers from 0 to 1; None is one that is not finite.
        masked: True where a position is masked out, or padding: hatched.
        highlight: the row to look at.
    """
    rows = [row[:MOST] for row in rows[:MOST]]
    width = LEFT + CELL * max(map(len, rows), default=0) + 4
    height = TOP + CELL * len(rows) + 20
    parts = [
        _cell(i, j, value, _is_masked(masked, i, j))
        for i, row in enumerate(rows)
        for j, value in enumerate(row)
    ]
    for i, row in enumerate(rows):
        y = TOP + CELL * i
        parts.append(f'<text class="tick" x="4" y="{y + 17}">{i}</text>')
        if i == highlight:
            size = f'width="{CELL * len(row)}" height="{CELL}"'
            parts.append(f'<rect class="frame" x="{LEFT}" y="{y}" {size}/>')
    for j in range(max(map(len, rows), default=0)):
        x, y = LEFT + CELL * j + CELL // 2, TOP + CELL * len(rows) + 14
        parts.append(f'<text class="tick" x="{x}" y="{y}">{j}</text>')
    spoken = escape(f"{title}. {words(rows, masked)}")
    return Markup(
        f'<svg class="cells" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{spoken}">{"".join(parts)}</svg>'
    )


def _cell(i: int, j: int, value: float | None, masked: bool) -> str:
    x, y = LEFT + CELL * j, TOP + CELL * i
    shade = 0 if value is None else round(min(max(value, 0.0), 1.0) * STEPS)
    shade = 1 if not shade and value is not None and value > 1e-4 else shade
    kind = "nan" if value is None else f"f{shade}"
    size = f'x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}"'
    square = f'<rect class="{kind}" {size}/>'
    if not masked:
        return square
    lines = "".join(
        f"M{x + 1 + a} {y + CELL - 1}L{x + CELL - 1} {y + 1 + a}" for a in (0, 8, 16)
    )
    lines += "".join(
        f"M{x + 1} {y + CELL - 1 - a}L{x + CELL - 1 - a} {y + 1}" for a in (8, 16)
    )
    return f'{square}<path class="hatch" d="{lines}"/>'


def _is_masked(masked: Masked, i: int, j: int) -> bool:
    return bool(masked and i < len(masked) and j < len(masked[i]) and masked[i][j])


def words(rows: Rows, masked: Masked = None) -> str:
    """What stands where, row by row; masked positions in brackets."""
    lines = []
    for i, row in enumerate(rows):
        said = ", ".join(
            f"({_number(v)})" if _is_masked(masked, i, j) else _number(v)
            for j, v in enumerate(row)
        )
        lines.append(_("row {i}: {numbers}", i=i, numbers=said))
    note = " " + _("( ) hatched: masked out") if masked else ""
    return "; ".join(lines) + "." + note


def _number(value: float | None) -> str:
    return "n/f" if value is None else f"{value:.2f}"
