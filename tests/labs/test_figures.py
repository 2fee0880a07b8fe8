"""Figures of a lab: in results, in both editions, in words."""

import math
import re

import torch

from grader.report import figures
from grader.report.html import render_report
from grader.results import CheckResult, Curve, Figure, HeatMap, from_json, to_json
from grader.session.lab import Lab
from grader.session.local import LocalMachine


def test_results_line_carries_figures_and_gives_them_back(seen):
    result = seen["right"].result
    again = from_json(to_json(result)).exercises["tiny"].checks[1].figures
    assert [f.title for f in again] == ["Way to 3", "Where it is"]
    assert again == seen["right"].checks["fits_roughly"].figures


def test_both_editions_draw_them_and_say_in_words_what_they_show(seen, labs):
    for edition in ("ta", "student"):
        page = render_report(seen["right"].result, labs, edition)
        assert page.count('<figure class="figure') == 2
        assert 'role="img" aria-label="Way to 3. told (as reported): from 2.99' in page
        assert "row 2: most at 2 (1.00)" in page
        assert not re.search(r"<svg[^>]*style=|<image", page)


def test_comparisons_are_drawn_under_a_heading_of_their_own(seen, labs):
    page = render_report(seen["compared"].result, labs, "student")
    assert "no points depend on it" in page
    assert "Few and many. value: from 1.5 to 2.99 at step 9" in page


def test_figures_of_hidden_checks_are_the_tas_alone(seen):
    plain = seen["right"].checks["fits_roughly"]
    values = {f: getattr(plain, f) for f in plain.__struct_fields__}
    hidden = CheckResult(**{**values, "public": False})
    assert figures.shown([hidden], ta=False) == []
    assert len(figures.shown([hidden], ta=True)) == 2


def test_curves_are_thinned_with_their_last_point_and_without_infinities():
    machine = LocalMachine()
    xs, ys = [float(n) for n in range(1000)], [math.nan, *map(float, range(999))]
    Lab(machine).curves("c", [Curve("a", xs, ys), Curve("b", [1.0], ["no number"])])
    long, odd = machine.figures[0].curves
    assert len(long.x) <= 121
    assert (long.x[-1], long.y[0], long.y[-1]) == (999.0, None, 998.0)
    assert odd.y == [None]


def test_heat_map_is_cut_to_what_a_page_holds():
    machine = LocalMachine()
    Lab(machine).heat_map("h", torch.full((40, 50), 0.5), rows="r", columns="c")
    heat_map = machine.figures[0].heat_map
    assert heat_map is not None
    assert [len(heat_map.rows), len(heat_map.rows[0])] == [24, 24]


def test_figure_from_a_foreign_line_is_cut_and_cleaned():
    wide = HeatMap([[0.1] * 99] * 99)
    figure = figures.cut(Figure("a\u202eb\x07" + "c" * 500, "x", "y", heat_map=wide))
    assert "\u202e" not in figure.title
    assert "\x07" not in figure.title
    assert len(figure.title) <= 200
    assert figure.heat_map is not None
    assert len(figure.heat_map.rows) == figures.MOST_SIDE


def test_empty_curves_and_rows_can_be_drawn():
    for figure in (
        Figure("e", "x", "y", curves=[Curve("none", [], [])]),
        Figure("e", "x", "y", curves=[Curve("nan", [1.0], [None])]),
        Figure("e", "x", "y", heat_map=HeatMap([[], [None, 2.0]])),
    ):
        assert "<svg" in figures.draw(figure)
