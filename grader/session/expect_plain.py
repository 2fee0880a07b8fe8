"""What a check may expect of plain data and of exceptions, in every course."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from grader.session.failing import fail, fail_kind

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch

LARGE = 1 << 16  # numbers of a tensor that are counted before they become a list


def number(
    actual: Any,
    kind: type[int] | type[float],
    *,
    what: str = "result",
    hint: str = "",
) -> None:
    """``actual`` is Python's own number: an int, or a float where ``kind`` is float.

    An int is as good as a float; a bool is neither, and so is a tensor, which may
    hold a graph and is printed, compared and stored in other ways.
    """
    if kind is int and type(actual) is not int:
        fail_kind(what, "an int", actual, hint)
    if type(actual) not in (int, float):
        fail_kind(what, "a float", actual, hint)


def true(
    flag: Any,
    *,
    what: str = "result",
    expected: str = "",
    got: str = "",
    hint: str = "",
) -> None:
    """``flag``, a bool that the suite worked out itself, is True."""
    if flag is not True and not (isinstance(flag, torch.Tensor) and bool(flag.all())):
        fail(what, expected or "true", got or "false", hint)


def sequence(
    actual: Any, n: int, *, what: str = "result", hint: str = ""
) -> tuple[Any, ...]:
    """``actual`` is a list or tuple of ``n`` things; returned as a tuple."""
    if not isinstance(actual, list | tuple):
        fail_kind(what, f"{n} values", actual, hint)
    if len(actual) != n:
        seen = f"{len(actual)} values"
        fail(what, f"{n} values", seen, hint, stage="kind", told=True)
    return tuple(actual)


def pair(actual: Any, *, what: str = "result", hint: str = "") -> tuple[Any, Any]:
    """``actual`` is a list or tuple of two."""
    first, second = sequence(actual, 2, what=what, hint=hint)
    return first, second


def length(actual: Any, n: int, *, what: str = "result", hint: str = "") -> None:
    """``actual`` is a list, tuple, string or dict with ``n`` entries."""
    if not isinstance(actual, list | tuple | str | dict):
        fail_kind(what, f"{n} entries", actual, hint)
    if len(actual) != n:
        fail(what, f"{n} entries", f"{len(actual)} entries", hint, stage="shape")


@contextlib.contextmanager
def raises(
    exception: type[BaseException],
    *,
    what: str = "this call",
    hint: str = "",
    other: dict[type[BaseException], str] | None = None,
) -> Iterator[None]:
    """The block raises ``exception`` in the student's code.

    ``other`` maps exception classes that people honestly meet here to the hint
    that fits them: these fail the check instead of ending it as an error.
    """
    wanted = exception.__name__
    try:
        yield
    except exception as e:
        if not getattr(e, "from_student", False):
            raise
        return
    except Exception as e:
        if not getattr(e, "from_student", False):
            raise
        if getattr(e, "kind", "") == "NotImplementedError":
            raise
        got = f"{getattr(e, 'kind', type(e).__name__)}: {e}"
        for kind, its_hint in (other or {}).items():
            if isinstance(e, kind):
                fail(what, wanted, got, its_hint or hint, told=True)
        fail(what, wanted, got, hint, told=True)
    fail(what, wanted, "no exception", hint, told=True)


def same_data(a: Any, b: Any) -> bool:
    """Equal plain data; a bool is no int, tensors inside count as numbers."""
    if isinstance(a, torch.Tensor):
        if a.numel() > LARGE and a.numel() != _count(b):
            return False
        a = a.tolist()
    if isinstance(b, list | tuple):
        same_kind = isinstance(a, list | tuple) and len(a) == len(b)
        return same_kind and all(map(same_data, a, b))
    if isinstance(a, bool) is not isinstance(b, bool):
        return False
    plain = (bool, int, float, str, bytes, dict, type(None))
    return isinstance(a, plain) and bool(a == b)


def _count(value: Any) -> int:
    """Numbers in nested lists, as a tensor counts them."""
    if isinstance(value, torch.Tensor):
        return int(value.numel())
    return sum(map(_count, value)) if isinstance(value, list | tuple) else 1
