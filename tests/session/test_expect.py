"""Every comparison helper refuses every kind of wrong answer, and no right one."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from grader.session import expect
from grader.session.expect import TOLERANCE
from grader.session.failing import ExpectationError

DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
NAN, INF = float("nan"), float("inf")


def numbers(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Different numbers of size one, some negative, none of them 0."""
    count = math.prod(shape)
    return (torch.arange(count).reshape(shape) * 0.37 - 1.1).to(dtype)


def with_one(value: torch.Tensor, number: float) -> torch.Tensor:
    """``value`` with its last entry replaced."""
    changed = value.clone()
    changed[(-1,) * value.dim()] = number
    return changed


WANT = numbers(3, 3)
WRONG = {
    "sign": (-WANT, r"expected \[-1\.1, .*, got \[1\.1, .* \(off in 9 of 9"),
    "transpose": (WANT.T.contiguous(), "off in 6 of 9"),
    "one number off": (with_one(WANT, 3.0), "off in 1 of 9"),
    "nan": (with_one(WANT, NAN), "NaN in 1 of 9"),
    "all nan": (torch.full((3, 3), NAN), "NaN in 9 of 9"),
    "inf": (with_one(WANT, INF), "off in 1 of 9, at most by inf"),
    "minus inf": (with_one(WANT, -INF), "off in 1 of 9, at most by inf"),
    "one row": (WANT[:1], r"shape \(1, 3\)"),
    "one more axis": (WANT[None], r"shape \(1, 3, 3\)"),
    "wrong size": (numbers(3, 4), r"expected shape \(3, 3\), got shape \(3, 4\)"),
    "flat": (WANT.reshape(-1), r"shape \(9,\)"),
    "a scalar": (torch.tensor(1.0), r"shape \(\)"),
    "integers": (
        torch.ones(3, 3, dtype=torch.int64),
        "expected dtype float32, got dtype int64",
    ),
    "bools": (torch.ones(3, 3, dtype=torch.bool), "dtype bool"),
    "complex": (WANT.to(torch.complex64), "dtype complex64"),
    "none": (None, "None"),
    "text": ("1.0", "the string '1.0'"),
    "a dict": ({"a": 1.0}, "dict"),
    "an object": (SimpleNamespace(shape=(3, 3)), "SimpleNamespace"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_close_refuses_and_says_what_it_got(kind):
    wrong, got = WRONG[kind]
    with pytest.raises(ExpectationError, match=got):
        expect.close(wrong, WANT, what="weights", hint="look")


# What an honest answer may be off by, and what no answer may, at 0 and in parts.
PRECISION = {
    torch.float64: (1e-10, 1e-8, 1e-8, 1e-6),
    torch.float32: (1e-6, 1e-4, 1e-5, 1e-3),
    torch.float16: (1e-3, 1e-2, 1e-3, 1e-2),
    torch.bfloat16: (1e-2, 1e-1, 1e-2, 1e-1),
    torch.complex64: (1e-6, 1e-4, 1e-5, 1e-3),
    torch.complex128: (1e-10, 1e-8, 1e-8, 1e-6),
}


@pytest.mark.parametrize("dtype", PRECISION)
def test_close_takes_rounding_of_the_dtype_and_no_mistake(dtype):
    honest, wrong, honest_part, wrong_part = PRECISION[dtype]
    zero, big = torch.zeros(2, dtype=dtype), torch.full((2,), 1000.0, dtype=dtype)
    wide = torch.complex128 if dtype.is_complex else torch.float64
    for sign in (1, -1):
        expect.close(zero.to(wide) + sign * honest, zero)
        expect.close(big.to(wide) * (1 + sign * honest_part), big)
        for off, want in (
            (zero.to(wide) + sign * wrong, zero),
            (big.to(wide) * (1 + sign * wrong_part), big),
        ):
            with pytest.raises(ExpectationError, match="off in 2 of 2"):
                expect.close(off, want)


def test_every_floating_dtype_that_crosses_has_a_tolerance():
    assert set(TOLERANCE) == set(PRECISION)


def test_tolerance_is_that_of_the_less_precise_side():
    want = torch.tensor([1.0, 2.0], dtype=torch.float64)
    near = want + 1e-3
    expect.close(near.to(torch.float16), want)
    expect.close(near, want.to(torch.float16))
    with pytest.raises(ExpectationError, match="off in 2 of 2"):
        expect.close(near.float(), want)


def test_tolerances_given_take_the_place_of_those_of_the_dtype():
    one = torch.ones(2)
    expect.close(one + 0.04, one, atol=0.05)
    expect.close(100 * one + 4, 100 * one, rtol=0.05)
    with pytest.raises(ExpectationError, match="off in 2 of 2"):
        expect.close(one + 1e-6, one, atol=1e-7, rtol=0)


def test_relative_tolerance_scales_with_the_expected_number():
    big = torch.tensor([1e6, -1e6])
    expect.close(big * (1 + 5e-5), big)
    with pytest.raises(ExpectationError, match="off in 2 of 2"):
        expect.close(big * (1 + 5e-4), big)
    with pytest.raises(ExpectationError, match=r"expected \[1\], got \[1e\+06\]"):
        expect.close(torch.tensor([1e6]), torch.tensor([1.0]))


def test_infinity_passes_only_where_the_same_one_is_expected():
    want = torch.tensor([1.0, INF, -INF])
    expect.close(want.clone(), want)
    for wrong in ([1.0, -INF, -INF], [1.0, INF, INF], [1.0, 1e30, -INF]):
        with pytest.raises(ExpectationError, match="off in 1 of 3"):
            expect.close(torch.tensor(wrong), want)
    with pytest.raises(ExpectationError, match="NaN in 1 of 3"):
        expect.close(torch.tensor([1.0, NAN, -INF]), want)


def test_nan_is_never_what_was_expected():
    with pytest.raises(ExpectationError, match="NaN in 1 of 2"):
        expect.close(torch.tensor([1.0, NAN]), torch.tensor([1.0, NAN]))
    with pytest.raises(ExpectationError, match=r"weights: expected 0\.5, got NaN"):
        expect.close(NAN, 0.5, what="weights")


@pytest.mark.parametrize(
    "answer",
    [
        torch.tensor([1.0, 2.0]),
        [1.0, 2.0],
        (1, 2),
        np.array([1.0, 2.0]),
        [torch.tensor(1.0), torch.tensor(2.0)],
    ],
)
def test_the_same_numbers_in_another_container_are_right(answer):
    expect.close(answer, [1.0, 2.0])


@pytest.mark.parametrize("answer", [3, 3.0, True + 2, np.float64(3), torch.tensor(3.0)])
def test_a_number_is_a_number_of_no_axes(answer):
    expect.close(answer, 3.0)
    with pytest.raises(ExpectationError, match=r"shape \(1,\)"):
        expect.close(answer, [3.0])


def test_complex_numbers_are_compared_in_both_parts():
    want = torch.tensor([1 + 2j, 3 - 1j])
    expect.close(want + 1e-6j, want)
    for wrong in (want.conj().resolve_conj(), 1j * want):
        with pytest.raises(ExpectationError, match="off in 2 of 2"):
            expect.close(wrong, want)


def test_ragged_lists_and_lists_of_other_things_are_no_numbers():
    for wrong in ([[1.0], [1.0, 2.0]], ["a"], [None], [torch.ones(2)] * 2):
        with pytest.raises(ExpectationError, match="expected numbers"):
            expect.close(wrong, torch.ones(2))
    with pytest.raises(ExpectationError, match=r"shape \(0,\)"):
        expect.close([], torch.ones(2))


def test_tensor_looks_at_kind_shape_and_dtype_and_returns_it():
    assert expect.tensor(WANT, (3, 3), torch.float32) is WANT
    expect.tensor(WANT)
    for kind, (wrong, got) in WRONG.items():
        if kind in ("none", "text", "a dict", "an object"):
            with pytest.raises(ExpectationError, match="expected a tensor"):
                expect.tensor(wrong)
        elif isinstance(wrong, torch.Tensor) and wrong.shape != (3, 3):
            with pytest.raises(ExpectationError, match=got):
                expect.tensor(wrong, (3, 3))
    with pytest.raises(ExpectationError, match="expected dtype float64, got dtype f"):
        expect.tensor(WANT, dtype=torch.float64)
    with pytest.raises(ExpectationError, match="expected a tensor"):
        expect.tensor(torch.nn.Parameter(WANT))


def test_equal_of_tensors_is_exact_in_shape_and_every_number():
    ids = torch.tensor([[1, 2], [3, 4]])
    expect.equal(ids.clone(), ids)
    for wrong in (ids + 1, -ids, ids.T, with_one(ids, 5)):
        with pytest.raises(ExpectationError, match=r"off in \d of 4"):
            expect.equal(wrong, ids)
    for wrong in (ids[:1], ids[None], ids.reshape(-1)):
        with pytest.raises(ExpectationError, match="expected shape"):
            expect.equal(wrong, ids)
    with pytest.raises(ExpectationError, match="expected a tensor"):
        expect.equal([[1, 2], [3, 4]], ids)
    near = ids.double() + 1e-12
    with pytest.raises(ExpectationError, match="off in 4 of 4"):
        expect.equal(near, ids.double())
    with pytest.raises(ExpectationError, match="NaN in 1 of 4"):
        expect.equal(with_one(ids.double(), NAN), with_one(ids.double(), NAN))


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (3, 3),
        (torch.tensor(3), 3),
        (torch.tensor([3]), 3),
        ([1, 2], [1, 2]),
        ((1, 2), [1, 2]),
        ([torch.tensor(1), 2], [1, 2]),
        (torch.tensor([1, 2]), [1, 2]),
        ("a", "a"),
        (None, None),
        (True, True),
        ({"a": 1}, {"a": 1}),
        ([[1], "b", None], [[1], "b", None]),
    ],
)
def test_equal_takes_the_same_plain_data(answer, wanted):
    expect.equal(answer, wanted)


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (3, 4),
        (True, 1),
        (1, True),
        (NAN, NAN),
        ([1, 2], [2, 1]),
        ([1, 2], [1, 2, 3]),
        ([1, 2, 3], [1, 2]),
        (None, 0),
        ("a", "b"),
        (1, [1]),
        ({"a": 1}, {"a": 2}),
        (torch.tensor([1, 2]), [1, 3]),
        (torch.tensor([1, 2]), 1),
        (SimpleNamespace(), None),
    ],
)
def test_equal_refuses_other_plain_data(answer, wanted):
    with pytest.raises(ExpectationError, match="expected"):
        expect.equal(answer, wanted)


def test_no_object_answers_a_comparison_for_itself():
    class Agreeable:
        shape = (3, 3)

        def __eq__(self, other):
            return True

        __hash__ = None

    for helper in (expect.close, expect.equal):
        with pytest.raises(ExpectationError, match="Agreeable"):
            helper(Agreeable(), 3)
    with pytest.raises(ExpectationError, match="a list of 1"):
        expect.equal([Agreeable()], [3])


@pytest.mark.parametrize(
    ("answer", "got"),
    [
        (with_one(WANT, NAN), "NaN in 1 of 9"),
        (with_one(WANT, INF), "infinity in 1 of 9"),
        (with_one(WANT, -INF), "infinity in 1 of 9"),
        (torch.tensor([INF, NAN]), "NaN in 1 of 2"),
        (NAN, "NaN in 1 of 1"),
        ([1.0, INF], "infinity in 1 of 2"),
        (None, "None"),
    ],
)
def test_finite_refuses(answer, got):
    with pytest.raises(ExpectationError, match=got):
        expect.finite(answer)


def test_finite_takes_every_finite_number():
    for answer in (WANT, 1.0, 3, [1.0, 2.0], torch.tensor([1, 2]), torch.zeros(0)):
        expect.finite(answer)
    expect.finite(torch.tensor([6e4, -6e4], dtype=torch.float16))


ROWS = torch.tensor([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])


@pytest.mark.parametrize(
    ("answer", "got"),
    [
        (-ROWS, "a sum of -1"),
        (ROWS.T, "a sum of 0.3"),
        (ROWS / 2, "a sum of 0.5"),
        (ROWS + 1e-3, "a sum of 1.003"),
        (ROWS - 1e-3, "a sum of 0.997"),
        (with_one(ROWS, NAN), "a sum of nan"),
        (with_one(ROWS, INF), "a sum of inf"),
        (ROWS[:, :1], "a sum of 0.2"),
        (ROWS.reshape(-1), "a sum of 2"),
        (None, "None"),
        ([[0.5, 0.5]], "list"),
    ],
)
def test_rows_sum_to_refuses(answer, got):
    with pytest.raises(ExpectationError, match=got):
        expect.rows_sum_to(answer, 1.0)


def test_rows_sum_to_looks_along_its_dim_and_only_where_told():
    expect.rows_sum_to(ROWS)
    expect.rows_sum_to(2 * ROWS, 2.0)
    expect.rows_sum_to(ROWS.T, dim=0)
    broken = ROWS * torch.tensor([[1.0], [3.0]])
    expect.rows_sum_to(broken, where=torch.tensor([True, False]))
    for where in ([False, True], [True, True]):
        with pytest.raises(ExpectationError, match="a sum of 3"):
            expect.rows_sum_to(broken, where=torch.tensor(where))
    with pytest.raises(ExpectationError, match=r"sums of shape \(3,\)"):
        expect.rows_sum_to(broken, where=torch.tensor([True] * 3))
    expect.rows_sum_to(ROWS + 0.01, atol=0.05)


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_of_rounded_weights_sum_to_one(dtype):
    weights = torch.softmax(numbers(4, 50, dtype=torch.float64), -1).to(dtype)
    expect.rows_sum_to(weights)
    with pytest.raises(ExpectationError, match="a sum of"):
        expect.rows_sum_to(weights * (1 + 5 * TOLERANCE[dtype][0]))


MASK = torch.tensor([[False, True, False], [False, False, True]])


def test_zero_where_sees_what_stands_at_marked_positions_alone():
    clean = numbers(2, 3).masked_fill(MASK, 0.0)
    expect.zero_where(clean, MASK)
    expect.zero_where(clean, torch.zeros(2, 3, dtype=torch.bool))
    expect.zero_where(clean[:, :2], torch.tensor([[False, True], [False, False]]))
    expect.zero_where(torch.zeros(2, 3), torch.tensor(True))
    expect.zero_where(clean + 0.01, MASK & (clean == 0), atol=0.02)
    for number, got in ((1e-3, "0.001 at"), (-1e-3, "0.001 at"), (INF, "inf at")):
        with pytest.raises(ExpectationError, match=got):
            expect.zero_where(with_one(clean, number), MASK)
    with pytest.raises(ExpectationError, match="NaN at"):
        expect.zero_where(with_one(clean, NAN), MASK)
    with pytest.raises(ExpectationError, match="at one of them"):
        expect.zero_where(clean, ~MASK)
    with pytest.raises(ExpectationError, match="a tensor, got None"):
        expect.zero_where(None, MASK)
    for wrong in (clean.T, clean[:1], clean[:, :2], clean.reshape(-1)):
        with pytest.raises(ExpectationError, match=r"expected shape \(2, 3\), got"):
            expect.zero_where(wrong, MASK)


def test_differs_needs_one_entry_beyond_the_tolerance():
    expect.differs(WANT, with_one(WANT, 5.0))
    expect.differs(WANT, -WANT)
    expect.differs(WANT, WANT[:2])
    for same in (WANT.clone(), WANT + 1e-7, with_one(WANT, NAN)):
        with pytest.raises(ExpectationError, match="the same answer twice"):
            expect.differs(WANT, same)
    for pair in ((None, WANT), (WANT, 3.0)):
        with pytest.raises(ExpectationError, match="expected a tensor"):
            expect.differs(*pair)


def test_true_takes_what_the_suite_worked_out_and_nothing_else():
    expect.true(True)
    expect.true(torch.tensor([True, True]))
    for wrong in (False, None, 1, "yes", torch.tensor([True, False])):
        with pytest.raises(ExpectationError, match="a frog: expected green, got red"):
            expect.true(wrong, what="a frog", expected="green", got="red")
    with pytest.raises(ExpectationError, match="expected true, got false"):
        expect.true(False)


def test_numbers_are_those_of_python_and_of_the_kind_asked_for():
    for value in (3, -2.5, INF, NAN):
        expect.number(value, float)
    expect.number(3, int)
    for wrong, kind, got in (
        (torch.tensor(3.0), float, "a float, got a tensor"),
        (torch.tensor(3), int, "an int, got a tensor"),
        (3.0, int, "an int, got 3.0"),
        (True, int, "an int, got True"),
        (False, float, "a float, got False"),
        (None, float, "a float, got None"),
        ("3", float, "a float, got the string"),
        ([3], int, "an int, got \\[3\\]"),
    ):
        with pytest.raises(ExpectationError, match=f"a count: expected {got}"):
            expect.number(wrong, kind, what="a count")


def test_sequences_are_lists_or_tuples_of_their_length():
    assert expect.pair([1, 2]) == (1, 2)
    assert expect.sequence((1, 2, 3), 3) == (1, 2, 3)
    expect.length("abc", 3)
    expect.length({"a": 1}, 1)
    for wrong, got in (
        ([1], "1 values"),
        ([1, 2, 3], "3 values"),
        (WANT[:2], "tensor"),
    ):
        with pytest.raises(ExpectationError, match=got):
            expect.pair(wrong)
    for wrong, got in (([1], "1 entries"), ("abc", "3 entries"), (None, "None")):
        with pytest.raises(ExpectationError, match=got):
            expect.length(wrong, 2)


def student_after(before: torch.Tensor, after: torch.Tensor) -> SimpleNamespace:
    return SimpleNamespace(_last_inputs=lambda: [(WANT, WANT), (before, after)])


def test_inputs_unchanged_sees_each_changed_entry_and_keeps_nan_apart():
    odd = torch.tensor([1.0, NAN, INF])
    expect.inputs_unchanged(student_after(odd, odd.clone()))
    for after, count in (([2.0, NAN, INF], 1), ([1.0, 0.0, INF], 1), ([1, 1, 1], 2)):
        message = f"inputs, tensor 2: expected left as given, got changed in {count} of"
        with pytest.raises(ExpectationError, match=message):
            expect.inputs_unchanged(student_after(odd, torch.tensor(after)))
    with pytest.raises(ExpectationError, match="changed in 1 of 3"):
        expect.inputs_unchanged(student_after(odd * 0, with_one(odd * 0, 1.0)))


class Raised:
    """Exceptions as they come out of a student's code."""

    def __call__(self, error: Exception, kind: str = "") -> None:
        error.from_student = True
        error.kind = kind or type(error).__name__
        raise error


def test_raises_takes_the_class_asked_for_from_the_student_alone():
    student = Raised()
    with expect.raises(ValueError):
        student(ValueError("no"))
    with expect.raises(LookupError):
        student(IndexError("no"))
    with pytest.raises(ValueError, match="ours"), expect.raises(ValueError):
        raise ValueError("ours")
    with pytest.raises(KeyError, match="ours"), expect.raises(ValueError):
        raise KeyError("ours")
    with (
        pytest.raises(NotImplementedError, match="TODO"),
        expect.raises(ValueError),
    ):
        student(NotImplementedError("TODO"))


def test_raises_refuses_silence_and_other_classes_with_the_hint_that_fits():
    student = Raised()
    with (
        pytest.raises(ExpectationError, match="a zero: expected ValueError, got no e"),
        expect.raises(ValueError, what="a zero"),
    ):
        pass
    with (
        pytest.raises(ExpectationError, match="got RuntimeError: 0") as caught,
        expect.raises(ValueError, hint="h", other={RuntimeError: "theirs"}),
    ):
        student(RuntimeError("0"))
    assert caught.value.hint == "theirs"
    with (
        pytest.raises(ExpectationError, match="got KeyError") as caught,
        expect.raises(ValueError, hint="h", other={RuntimeError: "theirs"}),
    ):
        student(KeyError("0"))
    assert caught.value.hint == "h"


@pytest.mark.parametrize(
    "refuse",
    [
        lambda w, h: expect.tensor(None, what=w, hint=h),
        lambda w, h: expect.close(-WANT, WANT, what=w, hint=h),
        lambda w, h: expect.close(WANT[0], WANT, what=w, hint=h),
        lambda w, h: expect.close(None, WANT, what=w, hint=h),
        lambda w, h: expect.equal(1, 2, what=w, hint=h),
        lambda w, h: expect.number(None, int, what=w, hint=h),
        lambda w, h: expect.number(None, float, what=w, hint=h),
        lambda w, h: expect.finite(NAN, what=w, hint=h),
        lambda w, h: expect.rows_sum_to(WANT, what=w, hint=h),
        lambda w, h: expect.zero_where(WANT, WANT > -9, what=w, hint=h),
        lambda w, h: expect.differs(WANT, WANT, what=w, hint=h),
        lambda w, h: expect.true(False, what=w, hint=h),
        lambda w, h: expect.sequence(1, 2, what=w, hint=h),
        lambda w, h: expect.pair([1], what=w, hint=h),
        lambda w, h: expect.length([1], 2, what=w, hint=h),
    ],
)
def test_every_refusal_carries_its_words_and_its_hint(refuse):
    with pytest.raises(ExpectationError, match=r"^the thing: ") as caught:
        refuse("the thing", "the hint")
    assert (caught.value.what, caught.value.hint) == ("the thing", "the hint")


def test_tables_mark_the_row_that_breaks_the_property():
    wrong = WANT.clone()
    wrong[1, 2] = 9.0
    with pytest.raises(ExpectationError, match="off in 1 of 9") as caught:
        expect.close(wrong, WANT)
    assert [t.highlight for t in caught.value.tables] == [1, 1]
    with pytest.raises(ExpectationError, match="a sum of") as caught:
        expect.rows_sum_to(ROWS * torch.tensor([[1.0], [3.0]]))
    assert caught.value.tables[0].highlight == 1
