"""Number tables as text and as shaded cells, one layout for both."""

from __future__ import annotations

import math

import msgspec

from grader.lang import _
from grader.report.views import TableView

SHADES = 5
NOT_FINITE = "n/f"


class Cell(msgspec.Struct, frozen=True):
    """One number: its text, and a shade from -5 (most negative) to 5."""

    text: str
    shade: int
    masked: bool


class Row(msgspec.Struct, frozen=True):
    """One row: its cells, its sum as text ("" without), and whether to look here."""

    index: int
    cells: list[Cell]
    sum: str
    highlight: bool


class Grid(msgspec.Struct, frozen=True):
    """A table that is ready to be drawn."""

    caption: str
    columns: list[int]
    rows: list[Row]
    has_sums: bool
    has_mask: bool
    has_not_finite: bool
    cut: str


def grid(table: TableView) -> Grid:
    """Lay a table out: texts of one width, shades by value, marks where due."""
    values = [v for row in table.rows for v in row if v is not None]
    finite = [abs(v) for v in values if math.isfinite(v)]
    top = max(finite, default=0.0)
    whole = all(v.is_integer() for v in finite) and top < 1e6
    rows = [
        Row(
            index=i,
            cells=[
                Cell(number(v, whole), _shade(v, top), _masked(table, i, j))
                for j, v in enumerate(row)
            ],
            sum=number(table.sums[i]) if table.sums and i < len(table.sums) else "",
            highlight=table.highlight == i,
        )
        for i, row in enumerate(table.rows)
    ]
    width = max((len(r) for r in table.rows), default=0)
    return Grid(
        caption=_caption(table),
        columns=list(range(width)),
        rows=rows,
        has_sums=bool(table.sums),
        has_mask=table.masked is not None,
        has_not_finite=any(c.text == NOT_FINITE for r in rows for c in r.cells),
        cut=_cut(table, len(table.rows) * width),
    )


def number(value: float | None, whole: bool = False) -> str:
    """A number in at most 8 characters, so that columns stay narrow."""
    if value is None:
        return NOT_FINITE
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if whole and value.is_integer():
        return f"{value:.0f}"
    size = abs(value)
    if value == 0 or 1e-3 <= size < 1e3:
        return f"{value:.3f}" if size < 10 else f"{value:.2f}"
    return f"{value:.0e}" if size < 1e-3 else f"{value:.1e}"


def as_text(table: TableView, width: int = 80) -> list[str]:
    """The table as lines for a terminal: masked cells in (), ``>`` at the row.

    Columns that do not fit into ``width`` characters are left out, and said so.
    """
    layout = grid(table)
    cells = [
        [f"({c.text})" if c.masked else c.text for c in row.cells]
        for row in layout.rows
    ]
    cell = max((len(c) for row in cells for c in row), default=1)
    room = width - (14 if layout.has_sums else 2)
    fit = max(1, room // (cell + 1))
    lines = [layout.caption]
    for row, texts in zip(layout.rows, cells, strict=True):
        mark = ">" if row.highlight else " "
        line = f"{mark} " + " ".join(t.rjust(cell) for t in texts[:fit])
        lines.append(
            "  ".join((line, _("sum {sum}", sum=row.sum))) if layout.has_sums else line
        )
    notes = _notes(layout, len(layout.rows) * min(fit, len(layout.columns)), table)
    return lines + ([f"  {notes}"] if notes else [])


def _notes(layout: Grid, shown: int, table: TableView) -> str:
    notes = [_cut(table, shown)]
    notes += [_("( ) = masked")] if layout.has_mask else []
    notes += (
        [_("{mark} = not a finite number", mark=NOT_FINITE)]
        if layout.has_not_finite
        else []
    )
    return "; ".join(n for n in notes if n)


def _caption(table: TableView) -> str:
    shape = ", ".join(map(str, table.shape))
    comma = "," if len(table.shape) == 1 else ""
    return f"{table.name}: ({shape}{comma}) {table.dtype}".rstrip()


def _cut(table: TableView, shown: int) -> str:
    """What of the tensor is not shown, in words."""
    total = math.prod(table.shape)
    if total <= shown:
        return ""
    return _("{shown} of {total} numbers shown", shown=shown, total=total)


def _masked(table: TableView, i: int, j: int) -> bool:
    rows = table.masked
    return bool(rows and i < len(rows) and j < len(rows[i]) and rows[i][j])


def _shade(value: float | None, top: float) -> int:
    if value is None or not math.isfinite(value) or top == 0:
        return 0
    step = math.ceil(abs(value) / top * SHADES - 1e-9)
    return int(math.copysign(min(step, SHADES), value)) if step else 0
