"""Whether a run may be shown: not where an input of the hidden run stands in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from grader.session.arrays import as_array, has_numbers
from grader.session.journal import Call

TELLING_SIZE = 2  # an input of so few numbers is nobody's secret


def is_fresh(calls: Iterable[Call], hidden: Iterable[Call]) -> bool:
    """No input of ``calls`` is one of the hidden run's."""
    secret = [v for call in hidden for v in _telling(call)]
    return not any(
        _equal(value, other)
        for call in calls
        for value in _telling(call)
        for other in secret
    )


def _telling(call: Call) -> list[Any]:
    """Inputs that say something: no short ones, none that is one number repeated."""
    found: list[Any] = []
    for value in flat([call.args, call.kwargs]):
        if has_numbers(value):
            plain = as_array(value)
            if plain.size > TELLING_SIZE and not _is_constant(plain):
                found.append(plain)
        elif isinstance(value, str) and len(value) > TELLING_SIZE:
            found.append(value)
    for value in [*call.args, *call.kwargs.values()]:
        if isinstance(value, list | tuple) and len(value) > TELLING_SIZE:
            found.append([v for v in flat(value) if not has_numbers(v)])
    return [v for v in found if len(v)]


def _is_constant(value: np.ndarray) -> bool:
    return _equal(value, np.full_like(value, value.flat[0]))


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=True)
    return type(a) is type(b) and bool(a == b)


def flat(value: Any) -> list[Any]:
    """What lists, tuples and dicts hold, however deep, one after the other."""
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in flat(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in flat(item)]
    return [value]
