"""What a check may expect of an answer. Actual first, expected second.

Everything here is ours: comparison, tolerance and wording. An answer is first
checked to be plain data of the right kind and shape, then its numbers are
compared, always in the form "not (difference <= tolerance)", so that NaN fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from grader.session import nearness
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

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch

__all__ = [
    "close",
    "differs",
    "equal",
    "finite",
    "inputs_unchanged",
    "length",
    "number",
    "pair",
    "raises",
    "rows_sum_to",
    "sequence",
    "tensor",
    "true",
    "zero_where",
]

# Absolute and relative tolerance per dtype, each far above what writing a right
# answer in another order costs, and far below what a mistake changes.
TOLERANCE = {
    # Sums of some hundred terms of size one are good to 1e-13; the rest leaves
    # room for a course's figures, written down with eight digits.
    torch.float64: (1e-9, 1e-7),
    # The same sums are good to 1e-6, in another order 1e-5.
    torch.float32: (1e-5, 1e-4),
    # exp and sum by hand are off by 4e-4 where the library's softmax, which works
    # in float32 inside, is off by 7e-5.
    torch.float16: (2e-3, 2e-3),
    # As float16 with 8 bits for 11: 3e-3 by hand, 5e-4 in the library.
    torch.bfloat16: (2e-2, 2e-2),
    # Each part is rounded as a real number of half the width.
    torch.complex64: (1e-5, 1e-4),
    torch.complex128: (1e-9, 1e-7),
}


def tensor(
    actual: Any,
    shape: Sequence[int] | None = None,
    dtype: torch.dtype | None = None,
    *,
    what: str = "result",
    hint: str = "",
) -> torch.Tensor:
    """``actual`` is a tensor, of ``shape`` and ``dtype`` where they are given."""
    if type(actual) is not torch.Tensor:
        fail_kind(what, "a tensor", actual, hint)
    if shape is not None and tuple(actual.shape) != tuple(shape):
        fail_shape(what, shape, actual, hint)
    if dtype is not None and actual.dtype != dtype:
        fail_dtype(what, dtype, actual, hint)
    return actual


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

    Tolerances are those of the less precise of both dtypes unless given. A
    Python number stands for a 0-d tensor, a list for a tensor of its numbers.
    NaN and infinities fail unless ``expected`` has the same infinity there.
    """
    want = _as_tensor(expected)
    got = _as_tensor(actual, what=what, hint=hint)
    if got.shape != want.shape:
        fail_shape(what, want.shape, got, hint)
    if _kind(got) != _kind(want) and isinstance(actual, torch.Tensor):
        fail_dtype(what, want.dtype, got, hint)
    if got.dtype is want.dtype and torch.equal(got, want):  # NaN equals nothing
        return
    loose_atol, loose_rtol = _tolerance(got, want)
    atol = loose_atol if atol is None else atol
    rtol = loose_rtol if rtol is None else rtol
    a, b = _wide(got), _wide(want)
    same_inf = torch.isinf(b) & (a == b)
    bound = atol + rtol * torch.where(torch.isinf(b), 0.0, b.abs())
    gap = (a - b).abs()
    ok = (gap <= bound) | same_inf
    if not bool(ok.all()):
        _fail_numbers(what, got, want, ok, hint)
    nearness.note(gap, bound)


def _fail_numbers(
    what: str, got: torch.Tensor, want: torch.Tensor, ok: torch.Tensor, hint: str
) -> NoReturn:
    bad = int((~ok).sum())
    nan = int(torch.isnan(_wide(got)).sum())
    at = _place(int((~ok).reshape(-1).to(torch.int8).argmax()), got.shape)
    row = at[-2] if len(at) > 1 else 0 if at else None
    seen = numbers(got)
    if nan:
        seen = f"NaN in {nan} of {got.numel()}" + (f": {seen}" if seen else "")
    elif got.numel() > 1:
        gap = float((_wide(got) - _wide(want)).abs().max())
        seen += f" (off in {bad} of {got.numel()}, at most by {gap:.2g})"
    tables = [
        table(f"{what}: got", got, at=at[:-2], highlight=row),
        table(f"{what}: expected", want, at=at[:-2], highlight=row),
    ]
    fail(what, numbers(want), seen, hint, tables, subject=got)


def equal(actual: Any, expected: Any, *, what: str = "result", hint: str = "") -> None:
    """``actual`` is exactly ``expected``: ints, strings, lists, integer tensors."""
    if isinstance(expected, torch.Tensor):
        got = tensor(actual, expected.shape, what=what, hint=hint)
        ok = got == expected
        if not bool(ok.all()):
            _fail_numbers(what, got, expected, ok, hint)
        return
    of_one = isinstance(actual, torch.Tensor) and actual.numel() == 1
    if of_one and not isinstance(expected, list | tuple):
        actual = actual.item()
    if actual is None and expected is not None:
        fail_kind(what, describe(expected), actual, hint)
    if not same_data(actual, expected):
        fail(what, describe(expected), describe(actual), hint)


def finite(actual: Any, *, what: str = "result", hint: str = "") -> None:
    """Every number of ``actual`` (a tensor or a number) is finite."""
    got = _as_tensor(actual, what=what, hint=hint)
    bad = ~torch.isfinite(_wide(got))
    if bool(bad.any()):
        nan = int(torch.isnan(_wide(got)).sum())
        name, count = ("NaN", nan) if nan else ("infinity", int(bad.sum()))
        seen = f"{name} in {count} of {got.numel()}"
        shown = [table(what, got, highlight=_first_row(bad))]
        fail(what, "finite numbers", seen, hint, shown, told=True, subject=got)


def rows_sum_to(
    actual: Any,
    value: float = 1.0,
    *,
    dim: int = -1,
    where: torch.Tensor | None = None,
    what: str = "weights",
    hint: str = "",
    atol: float | None = None,
) -> None:
    """Sums of ``actual`` along ``dim`` are ``value`` (where ``where`` is True).

    ``where``: bool, the shape of the sums. Sums are taken in float64.
    """
    got = tensor(actual, what=what, hint=hint)
    sums = got.detach().double().sum(dim)
    use = torch.ones_like(sums, dtype=torch.bool) if where is None else where
    if use.shape != sums.shape:
        wanted = f"sums of shape {tuple(use.shape)}"
        seen = f"sums of shape {tuple(sums.shape)}"
        fail(what, wanted, seen, hint, stage="shape", told=True, subject=got)
    # A row of T rounded numbers: its sum is off by about T roundings.
    slack = _tolerance(got, got)[0] * 2 if atol is None else atol
    gap = (sums - value).abs()
    ok = (gap <= slack) | ~use
    if not bool(ok.all()):
        first = int((~ok).reshape(-1).to(torch.int8).argmax())
        total = float(sums.reshape(-1)[first])
        last = dim in (-1, got.dim() - 1)
        at = _place(first, sums.shape) if last else ()
        shown = table(what, got, at=at[:-1], highlight=_last(at), with_sums=last)
        wanted, seen = f"each sum over dim {dim} is {value:g}", f"a sum of {total:.4g}"
        fail(what, wanted, seen, hint, [shown], told=True, subject=got)
    nearness.note(gap[use], slack)


def zero_where(
    actual: Any,
    mask: torch.Tensor,
    *,
    what: str = "weights",
    hint: str = "",
    atol: float | None = None,
) -> None:
    """``actual`` is 0 wherever ``mask`` (bool, broadcastable) is True."""
    got = tensor(actual, what=what, hint=hint)
    try:
        spread = mask.expand(got.shape)
    except RuntimeError:  # the mask fits no answer of that shape
        fail_shape(what, mask.shape, got, hint)
    slack = _tolerance(got, got)[0] if atol is None else atol
    gap = _wide(got).abs()
    ok = (gap <= slack) | ~spread
    if not bool(ok.all()):
        worst = got.detach().double().abs()[~ok]
        # The largest of numbers with a NaN among them is NaN.
        seen = f"{float(worst.max()):.4g}".replace("nan", "NaN") + " at one of them"
        at = _place(int((~ok).reshape(-1).to(torch.int8).argmax()), got.shape)
        row = at[-2] if len(at) > 1 else 0
        shown = table(what, got, at=at[:-2], masked=spread, highlight=row)
        wanted = "0 at the marked positions"
        fail(what, wanted, seen, hint, [shown], told=True, subject=got)
    nearness.note(gap[spread], slack)


def differs(a: Any, b: Any, *, what: str = "results", hint: str = "") -> None:
    """Two answers are not the same: some entry differs beyond tolerance."""
    left, right = tensor(a, what=what, hint=hint), tensor(b, what=what, hint=hint)
    if left.shape != right.shape:
        return
    slack = _tolerance(left, right)[0]
    if not bool(((_wide(left) - _wide(right)).abs() > slack).any()):
        wanted, seen = "two different answers", "the same answer twice"
        fail(what, wanted, seen, hint, [table(what, left)], told=True, subject=left)


def inputs_unchanged(student: Any, *, what: str = "inputs", hint: str = "") -> None:
    """The tensors given to the last call still hold what was put in.

    Read back from memory that this side owns, never asked of the worker.
    """
    for index, (before, after) in enumerate(student._last_inputs()):
        same = (before == after) | ((before != before) & (after != after))
        if not bool(same.all()):
            seen = f"changed in {int((~same).sum())} of {before.numel()} places"
            name = f"{what}, tensor {index + 1}"
            fail(name, "left as given", seen, hint, told=True)


def _as_tensor(value: Any, *, what: str = "expected", hint: str = "") -> torch.Tensor:
    if type(value) is torch.Tensor:
        return value.detach()
    if isinstance(value, bool | int | float):
        return torch.tensor(value, dtype=torch.float64)
    if isinstance(value, list | tuple) and value:
        try:
            if all(type(v) is torch.Tensor and v.dim() == 0 for v in value):
                return torch.stack([v.detach().double() for v in value])
            return torch.tensor(value, dtype=torch.float64)
        except (TypeError, ValueError, RuntimeError):
            pass
    if isinstance(value, list | tuple) and not value:
        return torch.zeros(0, dtype=torch.float64)
    array = getattr(value, "__array_interface__", None)
    if array is not None and type(value).__module__ == "numpy":
        return torch.as_tensor(value)
    fail_kind(what, "numbers", value, hint)


def _first_row(bad: torch.Tensor) -> int | None:
    """The first row of a matrix, or of a vector as one row, with a bad entry."""
    if bad.dim() not in (1, 2):
        return None
    rows = bad.reshape(1, -1) if bad.dim() == 1 else bad
    return int(rows.any(1).to(torch.int8).argmax())


def _place(index: int, shape: Sequence[int]) -> tuple[int, ...]:
    """The index along each axis of entry ``index`` of the flattened tensor."""
    place = []
    for size in reversed(shape):
        place.append(index % size)
        index //= size
    return tuple(reversed(place))


def _last(place: tuple[int, ...]) -> int | None:
    return place[-1] if place else None


def _kind(value: torch.Tensor) -> str:
    if value.dtype.is_complex:
        return "complex"
    return "float" if value.dtype.is_floating_point else "int"


def _wide(value: torch.Tensor) -> torch.Tensor:
    value = value.detach()
    return value.to(torch.complex128 if value.dtype.is_complex else torch.float64)


def _tolerance(a: torch.Tensor, b: torch.Tensor) -> tuple[float, float]:
    pairs = [TOLERANCE[x.dtype] for x in (a, b) if x.dtype in TOLERANCE]
    return max(pairs, default=(0.0, 0.0))
