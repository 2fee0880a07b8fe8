"""What a check may expect of arrays: each expectation passes and fails."""

from types import SimpleNamespace

import numpy as np
import pytest

from grader.session import arrays, show
from grader.session import expect_arrays as expect
from grader.session.case_arrays import ArrayCase
from grader.session.failing import ExpectationError

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


SQUARE = np.arange(1.0, 10.0).reshape(3, 3)


def with_one(value, number):
    """``value`` with its last entry replaced."""
    changed = value.copy()
    changed[(-1,) * value.ndim] = number
    return changed


WRONG = {
    "sign": (-SQUARE, "off in 9 of 9"),
    "transpose": (SQUARE.T, "off in 6 of 9"),
    "one number off": (with_one(SQUARE, 3.0), "off in 1 of 9"),
    "nan": (with_one(SQUARE, np.nan), "off in 1 of 9"),
    "all nan": (SQUARE * np.nan, "off in 9 of 9"),
    "inf": (with_one(SQUARE, np.inf), "off in 1 of 9"),
    "minus inf": (with_one(SQUARE, -np.inf), "off in 1 of 9"),
    "one row, which would broadcast": (SQUARE[:1], r"got shape \(1, 3\)"),
    "one more axis": (SQUARE[None], r"got shape \(1, 3, 3\)"),
    "wrong size": (np.ones((3, 4)), r"expected shape \(3, 3\), got shape \(3, 4\)"),
    "flat": (SQUARE.reshape(-1), r"got shape \(9,\)"),
    "a scalar": (np.array(1.0), r"got shape \(\)"),
    "bools": (SQUARE > 0, "expected dtype float64, got dtype bool"),
    "complex": (SQUARE + 0j, "an array of shape"),
    "objects": (np.array([[None] * 3] * 3), "an array of shape"),
    "a subclass": (SQUARE.view(np.matrix), "an object of matrix"),
    "none": (None, "None"),
    "text": ("text", "the string"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_close_refuses_and_says_what_it_got(kind):
    wrong, words = WRONG[kind]
    with fails(words):
        expect.close(wrong, SQUARE)


def test_infinity_passes_only_where_the_same_one_is_expected():
    for wrong in ([-np.inf, 1.0], [1e300, 1.0], [np.nan, 1.0]):
        with fails("off in 1 of 2"):
            expect.close(np.array(wrong), [np.inf, 1.0])
    expect.close(np.array([-np.inf, 1.0]), [-np.inf, 1.0])
    with fails(r"expected \[nan\], got \[nan\]"):
        expect.close(np.array([np.nan]), [np.nan])


@pytest.mark.parametrize(
    ("dtype", "honest", "wrong"),
    [("float64", 1e-10, 1e-8), ("float32", 1e-6, 1e-4), ("float16", 1e-3, 1e-2)],
)
def test_close_takes_rounding_of_the_dtype_and_no_mistake(dtype, honest, wrong):
    zero = np.zeros(2)
    expect.close(np.full(2, honest, dtype), zero)
    with fails("off in 2 of 2"):
        expect.close(np.full(2, wrong, dtype), zero)
    expect.close(np.full(2, wrong, dtype), zero, atol=1.0)


@pytest.mark.parametrize(
    ("actual", "words"),
    [
        (np.arange(6).reshape(2, 3) + 1, "off in 6 of 6"),
        (-np.arange(6).reshape(2, 3), "off in 5 of 6"),
        (np.arange(6.0).reshape(2, 3) + 1e-12, "off in 6 of 6"),
        (with_one(GRID, np.nan), "off in 1 of 6"),
        (np.arange(6).reshape(3, 2), r"got shape \(3, 2\)"),
        (np.arange(3)[None], r"got shape \(1, 3\)"),
        ([[0, 1, 2], [3, 4, 5]], "expected a numpy array, got a list"),
        (None, "expected a numpy array, got None"),
    ],
)
def test_equal_of_arrays_is_exact_in_shape_and_every_number(actual, words):
    with fails(words):
        expect.equal(actual, np.arange(6).reshape(2, 3))


@pytest.mark.parametrize(
    ("actual", "wanted"),
    [
        (True, 1),
        (1, True),
        ([True], [1]),
        (np.nan, np.nan),
        ([1, 2], [2, 1]),
        ([1, 2], [1, 2, 3]),
        (None, 0),
        (np.array([1, 2]), 1),
        ([np.array([1, 2])], [1]),
        ("a", "b"),
    ],
)
def test_equal_refuses_other_plain_data(actual, wanted):
    with fails("expected"):
        expect.equal(actual, wanted)
    expect.equal((1, [2, "a"]), [1, (2, "a")])


def test_array_looks_at_kind_shape_and_dtype():
    for wrong in ([1.0], None, 1.0, "text", SQUARE.view(np.matrix)):
        with fails("a numpy array"):
            expect.array(wrong)
    with fails("dtype int64"):
        expect.array(np.arange(3), kind="f")
    for wrong in (SQUARE[:1], SQUARE[None], SQUARE.reshape(-1), SQUARE[:, :2]):
        with fails(r"expected shape \(3, 3\), got shape"):
            expect.array(wrong, (3, 3))
    assert expect.array(SQUARE, (3, 3), kind="f") is SQUARE


def test_finite_refuses_nan_infinities_and_what_is_no_number():
    for wrong in (np.nan, np.inf, -np.inf):
        with fails("not finite in 1 of 9"):
            expect.finite(with_one(SQUARE, wrong))
    for wrong in (None, "text", SQUARE + 0j):
        with fails("expected numbers"):
            expect.finite(wrong)


def test_differs_needs_one_entry_beyond_the_tolerance():
    expect.differs(SQUARE, -SQUARE)
    expect.differs(SQUARE, SQUARE.T)
    expect.differs(SQUARE, SQUARE[:1])
    for same in (SQUARE.copy(), SQUARE + 1e-12, with_one(SQUARE, np.nan)):
        with fails("twice"):
            expect.differs(SQUARE, same)
    with fails("expected numbers"):
        expect.differs(SQUARE, None)


def test_inputs_unchanged_sees_each_changed_entry_and_keeps_nan_apart():
    odd = np.array([1.0, np.nan, np.inf])
    for after, broken in ((odd, False), ([2.0, np.nan, np.inf], True), (-odd, True)):
        read = np.array(after).tobytes
        pair = arrays.as_sent_and_now(odd, lambda size, read=read: read()[:size])
        student = SimpleNamespace(_last_inputs=lambda pair=pair: [pair])
        if broken:
            with fails("inputs, array 1: expected left as given"):
                expect.inputs_unchanged(student)
        else:
            expect.inputs_unchanged(student)


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
    shown = show.table("x", np.full((2, 1, 2), np.nan), highlight=7)
    assert (shown.rows, shown.shape, shown.highlight) == (
        [[None, None]],
        [2, 1, 2],
        None,
    )
