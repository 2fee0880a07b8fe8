"""What a check may expect of arrays: each expectation passes and fails."""

import numpy as np
import pytest

from grader.session import arrays
from grader.session import expect_arrays as expect
from grader.session.case_arrays import ArrayCase
from grader.session.expect import ExpectationError

GRID = np.arange(6.0).reshape(2, 3)


def fails(words):
    return pytest.raises(ExpectationError, match=words)


def test_right_answers_pass():
    expect.array(GRID, (2, 3), kind="f")
    expect.close(GRID + 1e-12, GRID)
    expect.close(2, 2.0)
    expect.close([1, 2], [1.0, 2.0])
    expect.close(np.array([np.inf]), [np.inf])
    expect.equal(np.array([1, 2]), np.array([1, 2]))
    expect.equal(np.array(3), 3)
    expect.finite(GRID)
    expect.differs(GRID, GRID + 1)


@pytest.mark.parametrize(
    ("actual", "words"),
    [
        (None, "None"),
        ("text", "the string"),
        (GRID.T, r"shape \(3, 2\)"),
        (GRID + 0.1, "off in 6 of 6"),
        (-GRID, "off in 5 of 6"),
        (GRID * np.nan, "off in 6 of 6"),
        (np.array([[None] * 3] * 2), "an array of shape"),
        (GRID.view(np.matrix), "an object of matrix"),
    ],
)
def test_wrong_numbers_shapes_and_kinds_fail(actual, words):
    with fails(words):
        expect.close(actual, GRID)


def test_other_expectations_fail_in_words():
    with fails("a numpy array"):
        expect.array([1.0])
    with fails("dtype int64"):
        expect.array(np.arange(3), kind="f")
    with fails("not finite in 1 of 2"):
        expect.finite(np.array([1.0, np.nan]))
    with fails("twice"):
        expect.differs(GRID, GRID.copy())
    with fails("off in 1 of 2"):
        expect.equal(np.array([1, 2]), np.array([1, 3]))
    with fails("expected 1"):
        expect.equal(True, 1)


def test_naming_compares_arrays_within_tolerance():
    assert arrays.same(GRID, GRID * (1 + 1e-6))
    assert arrays.same(np.array([np.nan]), np.array([np.nan]))
    assert not arrays.same(GRID, GRID + 0.1)
    assert not arrays.same(GRID, GRID.astype(np.float32))
    assert not arrays.same(GRID, GRID.tolist())


def test_draws_are_the_same_for_a_seed_and_within_their_ranges():
    one, two = ArrayCase(5), ArrayCase(5)
    assert one.sizes(N=(2, 4), K=(2, 4)) == two.sizes(N=(2, 4), K=(2, 4))
    first, second = one.randn(3, 2), two.randn(3, 2)
    assert (first == second).all()
    assert first.dtype == np.float64
    drawn = one.rand(200, lo=-1.0, hi=1.0)
    assert -1 <= drawn.min() < 0 < drawn.max() < 1
    assert set(one.randint(0, 3, 100).tolist()) == {0, 1, 2}
    assert one.bool(50).dtype == bool
    assert sorted(one.permutation(4).tolist()) == [0, 1, 2, 3]
    assert (ArrayCase(6).randn(3, 2) != first).any()


def test_table_shows_the_first_slice_and_no_nan():
    shown = arrays.table("x", np.full((2, 1, 2), np.nan), highlight=7)
    assert (shown.rows, shown.shape, shown.highlight) == (
        [[None, None]],
        [2, 1, 2],
        None,
    )
