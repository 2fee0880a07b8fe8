"""What a check may expect of an answer, in a course that works with numpy arrays.

The same words as in ``expect``, which is about tensors. A suite imports this one
as ``expect``; torch is never needed for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from grader.session.arrays import is_array
from grader.session.expect_plain import (
    length,
    number,
    pair,
    raises,
    same_data,
    sequence,
    true,
)
from grader.session.failing import fail, fail_dtype, fail_kind, fail_shape
from grader.session.show import describe, numbers, table

__all__ = [
    "array",
    "close",
    "differs",
    "equal",
    "finite",
    "inputs_unchanged",
    "length",
    "number",
    "pair",
    "raises",
    "sequence",
    "true",
]

# Absolute and relative, by the kind of number; as for tensors of that kind.
TOLERANCE = {"float64": (1e-9, 1e-7), "float32": (1e-5, 1e-4), "float16": (2e-3, 2e-3)}


def array(
    actual: Any,
    shape: Sequence[int] | None = None,
    *,
    kind: str = "",
    what: str = "result",
    hint: str = "",
) -> np.ndarray:
    """``actual`` is an array, of ``shape`` and ``kind`` where they are given.

    Args:
        actual: the answer.
        shape: its sizes.
        kind: letters of allowed kinds, as in ``dtype.kind``: "f", "iu", "b".
        what: words for what it is.
        hint: a question that points to the cause.
    """
    if not is_array(actual):
        fail_kind(what, "a numpy array", actual, hint)
    if shape is not None and actual.shape != tuple(shape):
        fail_shape(what, shape, actual, hint)
    if kind and actual.dtype.kind not in kind:
        wanted, seen = f"numbers of kind {kind!r}", f"dtype {actual.dtype}"
        fail(what, wanted, seen, hint, stage="dtype", told=True, subject=actual)
    found: np.ndarray = actual
    return found


def close(
    actual: Any,
    expected: Any,
    *,
    what: str = "result",
    hint: str = "",
    atol: float | None = None,
    rtol: float | None = None,
) -> None:
    """``actual`` has the shape and, within tolerance, the numbers of ``expected``.

    A number or a list stands for an array of them. NaN always fails, and so do
    bools where numbers are expected.
    """
    want, got = np.asarray(expected), _as_array(actual, what, hint)
    if got.shape != want.shape:
        fail_shape(what, want.shape, got, hint)
    if (got.dtype.kind == "b") is not (want.dtype.kind == "b"):
        fail_dtype(what, want.dtype, got, hint)
    loose = TOLERANCE.get(str(got.dtype), TOLERANCE["float64"])
    infinite = np.isinf(want)
    bound = (loose[0] if atol is None else atol) + (
        loose[1] if rtol is None else rtol
    ) * np.where(infinite, 0.0, np.abs(want))
    with np.errstate(invalid="ignore"):
        ok = (np.abs(got - want) <= bound) | (infinite & (got == want))
    if not ok.all():
        _fail_numbers(what, got, want, ok, hint)


def equal(actual: Any, expected: Any, *, what: str = "result", hint: str = "") -> None:
    """``actual`` is exactly ``expected``: numbers, strings, lists, integer arrays."""
    if is_array(expected):
        got = array(actual, expected.shape, what=what, hint=hint)
        ok = got == expected
        if not ok.all():
            _fail_numbers(what, got, expected, ok, hint)
        return
    if is_array(actual) and actual.size == 1:
        actual = actual.item()
    if actual is None and expected is not None:
        fail_kind(what, describe(expected), actual, hint)
    if not same_data(actual, expected):
        fail(what, describe(expected), describe(actual), hint)


def finite(actual: Any, *, what: str = "result", hint: str = "") -> None:
    """Every number of ``actual`` is finite."""
    got = _as_array(actual, what, hint)
    bad = ~np.isfinite(got)
    if bad.any():
        seen = f"not finite in {int(bad.sum())} of {got.size}"
        shown = [table(what, got)]
        fail(what, "finite numbers", seen, hint, shown, told=True, subject=got)


def differs(a: Any, b: Any, *, what: str = "results", hint: str = "") -> None:
    """Some entry of ``a`` differs from ``b``'s by more than rounding."""
    one, two = _as_array(a, what, hint), _as_array(b, what, hint)
    if one.shape != two.shape:
        return
    with np.errstate(invalid="ignore"):
        apart = np.abs(one - two) > 1e-9 + 1e-7 * np.abs(two)
    if not apart.any():  # where NaN stands nothing is known to differ
        seen = f"twice {numbers(one)}"
        fail(what, "different numbers", seen, hint, told=True, subject=one)


def inputs_unchanged(student: Any, *, what: str = "inputs", hint: str = "") -> None:
    """The arrays given to the last call still hold what was put in.

    Read back from memory that this side owns, never asked of the worker.
    """
    for index, (before, after) in enumerate(student._last_inputs()):
        if not np.array_equal(before, after):
            words = f"{what}, array {index + 1}"
            fail(words, "left as given", "changed in place", hint, told=True)


def _as_array(value: Any, what: str, hint: str) -> np.ndarray:
    if is_array(value) and value.dtype.kind in "fiub":
        return np.asarray(value)
    plain = isinstance(value, int | float)
    if plain or (isinstance(value, list | tuple) and len(value)):
        try:
            return np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            pass
    fail_kind(what, "numbers", value, hint)


def _fail_numbers(
    what: str, got: np.ndarray, want: np.ndarray, ok: np.ndarray, hint: str
) -> NoReturn:
    seen = numbers(got)
    if got.size > 1:
        seen += f" (off in {int((~ok).sum())} of {got.size})"
    at = np.argwhere(~ok)[0].tolist()
    row = at[-2] if len(at) > 1 else 0 if at else None
    tables = [
        table(f"{what}: got", got, at=at[:-2], highlight=row),
        table(f"{what}: expected", want, at=at[:-2], highlight=row),
    ]
    fail(what, numbers(want), seen, hint, tables, subject=got)
