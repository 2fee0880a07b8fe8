import pytest
import report_samples as samples

from grader.report.editions import table
from grader.report.numbers import as_text, grid, number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.000"),
        (0.12345, "0.123"),
        (-12.3456, "-12.35"),
        (1e-7, "1e-07"),
        (123456.0, "1.2e+05"),
        (float("nan"), "NaN"),
        (float("-inf"), "-inf"),
        (None, "n/f"),
    ],
)
def test_number_is_short(value, text):
    assert number(value) == text


def test_weights_show_mask_row_sums_and_the_row_to_look_at():
    lines = as_text(table(samples.weights_table()))

    assert lines == [
        "weights: (3, 4) float32",
        "    0.500   0.500 (0.000) (0.000)  sum 1.000",
        ">   0.210   0.190   0.430 (0.000)  sum 0.830",
        "  (0.250) (0.250) (0.250) (0.250)  sum 1.000",
        "  ( ) = masked",
    ]


def test_wide_table_is_cut_to_the_width_and_says_so():
    lines = as_text(table(samples.scores_table()), width=40)

    assert max(map(len, lines[:-1])) <= 40
    assert lines[-1] == "  15 of 240 numbers shown; n/f = not a finite number"


def test_shades_follow_sign_and_size():
    rows = [[-1.0, -0.1, 0.0, 0.5, 1.0, None, float("nan")]]
    (row,) = grid(table(samples.Table("t", rows, [1, 7]))).rows

    assert [c.shade for c in row.cells] == [-5, -1, 0, 3, 5, 0, 0]


def test_whole_numbers_are_shown_without_a_point():
    (row,) = grid(table(samples.Table("t", [[3.0, 12.0]], [2]))).rows

    assert [c.text for c in row.cells] == ["3", "12"]


def test_ragged_marks_and_sums_do_not_break_a_table():
    odd = samples.Table("t", [[1.0], [2.0, 3.0]], [], masked=[[True]], sums=[1.0])
    layout = grid(table(odd))

    assert [[c.masked for c in r.cells] for r in layout.rows] == [[True], [False] * 2]
    assert [r.sum for r in layout.rows] == ["1.000", ""]


def test_empty_table_has_no_rows():
    assert as_text(table(samples.Table("t", [], [0]))) == ["t: (0,)"]
