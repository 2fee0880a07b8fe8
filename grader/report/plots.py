"""Plots of a class as inline SVG that fits the page's policy and colours.

The library writes ``style`` attributes, which the page's content policy
forbids, and fixed colours, which a dark page makes unreadable. So its SVG is
rewritten: presentation attributes, ``currentColor``, classes for the bars.
Only this module imports the library, and only when a plot is drawn.
"""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup

from grader.report.words import points

BINS = 10
LONG_NAME = 8  # characters of a range that fit under their bar
LEAST_ROOM = 14  # few checks do not make fat bars
_INK = "#010203"  # stands for the colour of the page's text
_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}"
_BAR = "bar"
_REST = "rest"
_LINES = ("line1", "line2", "line3", "line4")
_FONT_SIZE = re.compile(r"([\d.]+)px")


def bins(scores: Sequence[Decimal], most: Decimal) -> list[tuple[str, int]]:
    """Ten equal ranges of points with the number of scores in each.

    The upper end belongs to the next range, except for full marks.
    """
    if not most:
        return []
    counts = [0] * BINS
    for score in scores:
        place = int(score * BINS / most)
        counts[min(max(place, 0), BINS - 1)] += 1
    edges = [points(most * n / BINS) for n in range(BINS + 1)]
    names = [f"{a}\u2013{b}" for a, b in itertools.pairwise(edges)]
    return list(zip(names, counts, strict=True))


def histogram(counted: Sequence[tuple[str, int]], title: str) -> Markup:
    """Bars of how many submissions scored in each range."""

    def draw(figure: Any) -> None:
        axes = figure.add_axes((0.09, 0.24, 0.9, 0.66))
        drawn = axes.bar(range(len(counted)), [n for _, n in counted], 0.9)
        _mark(drawn, _BAR)
        axes.bar_label(drawn, labels=[str(n or "") for _, n in counted], fontsize=9)
        names = [name for name, _ in counted]
        if max(map(len, names), default=0) > LONG_NAME:  # else they run into each other
            names = [name.replace("\u2013", "\u2013\n") for name in names]
        axes.set_xticks(range(len(counted)), names, fontsize=8)
        axes.set_xlabel("points")
        axes.set_ylabel("submissions")
        axes.yaxis.get_major_locator().set_params(integer=True)
        plain_axes(axes)

    spoken = ", ".join(f"{name}: {n}" for name, n in counted if n)
    return svg(draw, (7.4, 2.8), title, spoken)


def pass_rates(rows: Sequence[tuple[str, int, int]], title: str) -> Markup:
    """A numbered bar for each check: the share of submissions that pass it.

    The numbers are those of the list beside it. Real axes with the sentences
    as labels look no better and take 0.3 s for each exercise; this takes 0.02.

    Args:
        rows: (title of the check, passed, tried).
        title: what the plot is called.
    """

    def draw(figure: Any) -> None:
        from matplotlib.collections import PolyCollection

        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(-1.6, max(len(rows), LEAST_ROOM))
        axes.set_ylim(-22, 112)
        shares = [100 * passed / tried if tried else 0 for _, passed, tried in rows]
        for name, low, high in (
            (_REST, shares, [100] * len(rows)),
            (_BAR, [0] * len(rows), shares),
        ):
            boxes = [
                _box(n, *span) for n, span in enumerate(zip(low, high, strict=True))
            ]
            axes.add_collection(PolyCollection(boxes, gid=name, linewidths=0))
        for height in (0, 50, 100):
            axes.text(-0.6, height, f"{height} %", ha="right", va="center", fontsize=9)
        for place in range(len(rows)):
            axes.text(place, -6, str(place + 1), ha="center", va="top", fontsize=9)

    spoken = "; ".join(f"{name}: {p} of {n}" for name, p, n in rows)
    return svg(draw, (7.4, 1.5), title, spoken)


def _box(place: int, low: float, high: float) -> list[tuple[float, float]]:
    left, right = place - 0.35, place + 0.35
    return [(left, low), (left, high), (right, high), (right, low)]


def _mark(bars: Any, name: str) -> None:
    for bar in bars:
        bar.set_gid(name)


def plain_axes(axes: Any) -> None:
    """Without the lines above and beside."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def svg(
    draw: Callable[[Any], None], size: tuple[float, float], title: str, spoken: str
) -> Markup:
    """Draw, and return an ``<svg>`` that says in words what it shows."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    ink = {
        name: _INK
        for name in (
            "text.color",
            "axes.edgecolor",
            "axes.labelcolor",
            "xtick.color",
            "ytick.color",
        )
    }
    settings: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": title,
        "text.usetex": False,
    }
    settings |= {"font.family": ["DejaVu Sans"], **ink}
    out = io.StringIO()
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=size)
        FigureCanvasSVG(figure)
        draw(figure)
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return _for_page(out.getvalue(), title, spoken)


def _for_page(text: str, title: str, spoken: str) -> Markup:
    root = ElementTree.fromstring(text)
    for child in list(root):
        if child.tag in (f"{_SVG}metadata", f"{_SVG}defs") and not child.get("id"):
            _drop_style(root, child)
    for element in root.iter():
        _plain_attributes(element)
    for element in root.iter():
        if element.tag == f"{_SVG}g":
            name = element.attrib.pop("id", "")
            if name in (_BAR, _REST):
                element.set("class", name)
                for path in element:
                    path.attrib.pop("fill", None)
            elif name in _LINES:
                element.set("class", name)
                for path in element.iter():
                    path.attrib.pop("stroke", None)
                    if path.get("fill") != "none":
                        path.attrib.pop("fill", None)
    for name in ("width", "height"):
        root.attrib.pop(name, None)
    root.set("role", "img")
    root.set("aria-label", f"{title}. {spoken}")
    ElementTree.register_namespace("", _SVG[1:-1])
    ElementTree.register_namespace("xlink", _XLINK[1:-1])
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _drop_style(root: Any, child: Any) -> None:
    """Remove the document's metadata, and its style sheet but not its shapes."""
    if child.tag == f"{_SVG}metadata":
        root.remove(child)
        return
    for inner in list(child):
        if inner.tag == f"{_SVG}style":
            child.remove(inner)


def _plain_attributes(element: Any) -> None:
    """Turn ``style="a: b"`` into attributes; fonts come from the page."""
    style = element.attrib.pop("style", "")
    for part in filter(None, (p.strip() for p in style.split(";"))):
        name, _, value = part.partition(":")
        name, value = name.strip(), value.strip()
        if name == "font":
            size = _FONT_SIZE.search(value)
            name, value = "font-size", size[1] if size else "10"
        if name != "font-family":
            element.set(name, "currentColor" if value == _INK else value)
