"""An expectation that does not hold: what the report shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from grader.results import Table
from grader.session.show import describe, table


class ExpectationError(AssertionError):
    """An expectation did not hold: the student's answer is not what it must be.

    Owner: the student. The first five are what the report shows.

    Args:
        what: the thing in words.
        expected: what must hold.
        got: what came out, and how far off it is.
        hint: points, and does not solve.
        tables: what came out as numbers, and what should have.
        stage: how far the answer came: "return" (nothing came back), "kind",
            "shape", "dtype" or "number".
        told: ``expected`` is a rule, with no number that the task asks for.
        subject: the answer itself.
    """

    def __init__(
        self,
        what: str,
        expected: str,
        got: str,
        hint: str = "",
        tables: Sequence[Table] = (),
        *,
        stage: str = "number",
        told: bool = False,
        subject: Any = None,
    ) -> None:
        super().__init__(f"{what}: expected {expected}, got {got}")
        self.what = what
        self.expected = expected
        self.got = got
        self.hint = hint
        self.tables = list(tables)
        self.stage = stage
        self.told = told
        self.subject = subject


def fail(
    what: str,
    expected: str,
    got: str,
    hint: str,
    tables: Sequence[Table] = (),
    **more: Any,
) -> NoReturn:
    """It does not hold; see ``ExpectationError``."""
    __tracebackhide__ = True
    raise ExpectationError(what, expected, got, hint, tables, **more)


def fail_kind(what: str, expected: str, actual: Any, hint: str) -> NoReturn:
    """It is not even the kind of thing that was asked for; None is told apart."""
    stage = "return" if actual is None else "kind"
    fail(what, expected, describe(actual), hint, stage=stage, told=True)


def fail_shape(what: str, expected: Sequence[int], actual: Any, hint: str) -> NoReturn:
    """``actual``, a tensor or an array, has another shape."""
    wanted, got = f"shape {tuple(expected)}", f"shape {tuple(actual.shape)}"
    shown = [table(what, actual)]
    fail(what, wanted, got, hint, shown, stage="shape", told=True, subject=actual)


def fail_dtype(what: str, expected: Any, actual: Any, hint: str) -> NoReturn:
    """``actual``, a tensor or an array, has another dtype."""
    wanted, got = f"dtype {_name(expected)}", f"dtype {_name(actual.dtype)}"
    fail(what, wanted, got, hint, stage="dtype", told=True, subject=actual)


def _name(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")
