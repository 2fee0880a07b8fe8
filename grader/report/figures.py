"""Figures of a lab: loss curves and heat maps, drawn as inline SVG with words.

The numbers come typed from the results; whoever reads them is told which were
measured and which are what student code reported.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from grader.lang import _, sentence, spoken
from grader.report.clean import clean_line
from grader.report.plots import plain_axes, svg
from grader.results import CheckResult, Curve, Figure, HeatMap

MOST = 6  # figures of one exercise
MOST_CURVES, MOST_POINTS, MOST_SIDE = 8, 120, 24
LEGEND_LINE = 0.2  # inches
TOLD = "as reported"
_LINES = ("line1", "line2", "line3", "line4")


def shown(checks: Sequence[CheckResult], ta: bool) -> list[Figure]:
    """The figures that a reader may see, cleaned and cut.

    Args:
        checks: of one exercise.
        ta: the TA sees those of hidden checks too.
    """
    found = [f for c in checks if ta or c.public for f in c.figures]
    return [cut(figure) for figure in found[:MOST]]


def cut(figure: Figure) -> Figure:
    """A figure of a size that a page can hold, its words cleaned."""
    heat_map = figure.heat_map
    if heat_map is not None:
        rows = [row[:MOST_SIDE] for row in heat_map.rows[:MOST_SIDE]]
        masked = heat_map.masked
        if masked is not None:
            masked = [row[:MOST_SIDE] for row in masked[:MOST_SIDE]]
        heat_map = HeatMap(rows, masked)
    return Figure(
        title=clean_line(sentence(figure.title), 120),
        x=clean_line(figure.x, 40),
        y=clean_line(figure.y, 40),
        curves=[
            Curve(
                clean_line(c.name, 60),
                c.x[:MOST_POINTS],
                c.y[:MOST_POINTS],
                c.told,
            )
            for c in figure.curves[:MOST_CURVES]
        ],
        heat_map=heat_map,
        level=figure.level,
    )


def words(figure: Figure) -> str:
    """What the figure shows, for who cannot see it and for a terminal."""
    if figure.heat_map is not None:
        return "; ".join(_row_words(n, r) for n, r in enumerate(figure.heat_map.rows))
    parts = []
    for curve in figure.curves:
        points = [
            (x, y) for x, y in zip(curve.x, curve.y, strict=False) if y is not None
        ]
        if points:
            first, (x, last) = points[0][1], points[-1]
            axis, ends = sentence(figure.x), {"first": f"{first:.3g}"}
            ends |= {"last": f"{last:.3g}", "x": f"{x:g}"}
            way = _("from {first} to {last} at {axis} {x}", axis=axis, **ends)
            parts.append(f"{_told(sentence(curve.name), curve)}: {way}")
    if figure.level is not None:
        parts.append(_("line at {level}", level=f"{figure.level:.3g}"))
    return "; ".join(parts)


def _row_words(number: int, row: list[float | None]) -> str:
    numbers = [-1.0 if v is None else v for v in row]
    if not numbers:
        return _("row {number}: nothing", number=number)
    best = max(range(len(numbers)), key=numbers.__getitem__)
    value = f"{numbers[best]:.2f}"
    return _("row {n}: most at {best} ({value})", n=number, best=best, value=value)


def _told(name: str, curve: Curve) -> str:
    """A curve's name, with a word where nobody but student code vouches for it."""
    return _("{name} (as reported)", name=name) if curve.told else name


def name_of(curve: Curve) -> str:
    """The name as it is drawn: in English, for which there are letters everywhere."""
    return f"{curve.name} ({TOLD})" if curve.told else curve.name


def draw(figure: Figure) -> Markup:
    """The figure as an ``<svg>``; both editions of a report share one drawing."""
    return _drawn(msgspec.json.encode(figure), spoken())


@functools.lru_cache(maxsize=16)
def _drawn(data: bytes, language: str) -> Markup:
    figure = msgspec.json.decode(data, type=Figure)
    if figure.heat_map is not None:
        rows = figure.heat_map.rows
        size = (0.34 * max(map(len, rows), default=1) + 1.0, 0.34 * len(rows) + 0.9)
        paint: Any = functools.partial(_heat_map, figure)
    else:
        size = (6.4, 2.5 + LEGEND_LINE * len(figure.curves))
        paint = functools.partial(_curves, figure)
    return svg(paint, size, figure.title, words(figure))


def _curves(figure: Figure, canvas: Any) -> None:
    height = canvas.get_size_inches()[1]
    legend = LEGEND_LINE * len(figure.curves) / height
    axes = canvas.add_axes((0.09, 0.5 / height, 0.89, 0.97 - legend - 0.5 / height))
    for number, curve in enumerate(figure.curves):
        line = _LINES[number % len(_LINES)]
        ys = [float("nan") if v is None else v for v in curve.y]
        axes.plot(
            curve.x,
            ys,
            gid=line,
            linewidth=1.0 if curve.told else 2.0,
            linestyle=(0, (2, 2)) if curve.told else "-",
            marker="" if curve.told else "o",
            markersize=3,
        )
        dash = "- -" if curve.told else "\N{EM DASH}"
        canvas.text(
            0.1,
            0.99 - LEGEND_LINE * number / height,
            f"{dash} {name_of(curve)}",
            va="top",
            fontsize=9,
            gid=line,
        )
    if figure.level is not None:
        axes.axhline(figure.level, color=axes.xaxis.label.get_color(), linewidth=0.6)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(figure.x)
    axes.set_ylabel(figure.y)
    plain_axes(axes)


def _heat_map(figure: Figure, canvas: Any) -> None:
    from matplotlib.patches import Rectangle

    assert figure.heat_map is not None
    rows = figure.heat_map.rows
    width = max(map(len, rows), default=1)
    axes = canvas.add_axes((0.16, 0.2, 0.82, 0.76))
    axes.set_xlim(-0.5, width - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            strength = min(max(value or 0.0, 0.0), 1.0)
            if strength >= 0.01:
                cell = Rectangle((j - 0.5, i - 0.5), 1, 1, linewidth=0, gid="bar")
                cell.set_alpha(round(strength, 2))
                axes.add_patch(cell)
    axes.set_xticks(range(width))
    axes.set_yticks(range(len(rows)))
    axes.tick_params(labelsize=8)
    axes.set_xlabel(figure.x)
    axes.set_ylabel(figure.y)
