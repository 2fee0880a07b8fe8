"""What a report shows of a failing check: the smallest example that still fails.

Public checks show the case itself, made smaller. Of hidden ones a fresh case is
drawn from another seed (see ``secrecy``), and no number that the task asks for is
shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.results import Example, Figure, HeatMap, Table
from grader.session.arrays import as_array, has_numbers
from grader.session.workers.faults import StudentError
from grader.session.examples.influence import Influence, find_padded, measure
from grader.session.journal import Call
from grader.session.examples.parameters import names_of
from grader.session.examples.secrecy import flat
from grader.session.show import table
from grader.session.examples.shrink import Failing
from grader.submission import Source

if TYPE_CHECKING:
    import torch

    from grader.session.runner import Runner
else:
    from grader.session.tensors import torch

MOST_TABLES = 6
SLICES = 2  # of an input with three axes
SHORT = 40  # characters of an argument that is written out


def build(
    failing: Failing, reference: ModuleType | None, source: Source, public: bool
) -> Example | None:
    """The example of a failing run; None where no call of the student's is in it."""
    call = blamed(failing)
    if call is None:
        return None
    error, names = failing.error, names_of(call, reference, source)
    given = [*zip(names, call.args, strict=False), *call.kwargs.items()]
    example = Example(call=_written(call, names), inputs=_inputs(given))
    if isinstance(error, StudentError):
        first = [line[:300] for line in str(error).splitlines()[:1]]
        example.got = ": ".join([error.kind, *first])
        return example
    example.what = error.what
    example.got = error.got if public or error.told else _without_gap(error.got)
    example.expected = error.expected if public or error.told else ""
    mask = _mask(given)
    example.tables = [
        _with_mask(t, mask)
        for t in error.tables
        if public or error.told or ": expected" not in t.name
    ]
    return example


def blamed(failing: Failing) -> Call | None:
    """The call whose answer the expectation looked at, else the last one."""
    asked = [c for c in failing.calls if c.target[0] in ("student", "object")]
    subject = getattr(failing.error, "subject", None)
    if subject is not None:
        for call in reversed(asked):
            if any(_is_part(subject, v) for v in _numeric(call.value)):
                return call
    return asked[-1] if asked else None


def _is_part(a: Any, b: Any) -> bool:
    """They lie in the same memory."""
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
    arrays = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
    return arrays and np.may_share_memory(a, b)


def _numeric(value: Any) -> list[Any]:
    """The tensors and arrays in it."""
    return [v for v in flat(value) if has_numbers(v)]


def _without_gap(got: str) -> str:
    """How far off it is would tell what must stand there."""
    return got.split(" (off in")[0]


def _written(call: Call, names: Sequence[str]) -> str:
    """The call as one would write it, tensors and arrays by their names."""
    parts = [_argument(n, v) for n, v in zip(names, call.args, strict=False)]
    parts += [f"{n}={_argument(n, v)}" for n, v in call.kwargs.items()]
    name = str(call.target[-1]) or "forward"
    return f"{name}({', '.join(parts)})"


def _argument(name: str, value: Any) -> str:
    known = (bool, int, float, str, list, tuple, type(None))
    if isinstance(value, np.generic):
        value = value.item()  # as it is sent
    if isinstance(value, known) and not _numeric(value):
        text = repr(value)
        return text if len(text) <= SHORT else name
    return name


def _inputs(given: Sequence[tuple[str, Any]]) -> list[Table]:
    mask = _mask(given)
    tables = []
    for name, value in given:
        if has_numbers(value):
            slices: list[tuple[int, ...]] = [()]
            if value.ndim == 3:
                slices = [(i,) for i in range(min(SLICES, value.shape[0]))]
            shown = [table(name, value, at=at) for at in slices]
            fits = mask is not None and mask.shape == value.shape
            tables += [
                table(name, value, at=at, masked=mask) if fits else plain
                for at, plain in zip(slices, shown, strict=True)
            ]
        elif isinstance(value, list | tuple) and len(repr(value)) > SHORT:
            numbers = [v for v in flat(value) if isinstance(v, int | float)]
            if numbers:
                tables.append(table(name, np.array(numbers)))
    return tables[:MOST_TABLES]


def _mask(given: Sequence[tuple[str, Any]]) -> np.ndarray | None:
    """The mask among the inputs, stretched over the first input that it fits."""
    values = [as_array(v) for _, v in given if has_numbers(v)]
    masks = [v for v in values if v.dtype == np.bool_ and v.ndim]
    if len(masks) != 1:
        return None
    for value in values:
        if value.dtype == np.bool_:
            continue
        try:
            return np.broadcast_to(masks[0], value.shape)
        except ValueError:
            continue
    return masks[0]


def _with_mask(shown: Table, mask: np.ndarray | None) -> Table:
    """The table of an answer, with the mask drawn in where it is of that shape."""
    if mask is None or shown.masked is not None or shown.shape != list(mask.shape):
        return shown
    if mask.ndim > 2:
        return shown
    hidden = mask.reshape(1, -1) if mask.ndim < 2 else mask
    shown.masked = hidden[: len(shown.rows), :12].tolist()
    return shown


def influence(failing: Failing, runner: Runner) -> Figure | None:
    """Which positions of a padded input move what the failing call gives."""
    call = blamed(failing)
    padded = find_padded(call.args) if call is not None else None
    if call is None or padded is None:
        return None
    remote = _proxy(runner)

    def again(value: Any) -> Any:
        args = list(call.args)
        args[padded.place] = value
        return _watched(remote(call.target, args, call.kwargs), padded.value.shape)

    try:
        found = measure(again, padded, lambda t: _row_axis(t, padded.value.shape))
    except Exception:  # student code, asked once more: a plot is no verdict
        return None
    return _drawn(found) if found is not None and found.is_telling else None


def _proxy(runner: Runner) -> Any:
    from grader.session.student import Remote

    with_grad_off = Remote(runner, ["student"])

    def call(target: list[Any], args: Any, kwargs: Any) -> Any:
        with torch.no_grad():
            return with_grad_off._call(target, args, kwargs)

    return call


def _watched(answer: Any, shape: Sequence[int]) -> Any:
    """The first tensor that is a state or a summary: one for each row, no steps."""
    found = _numeric(answer)
    return next((t for t in found if _row_axis(t, shape) is not None), None)


def _row_axis(value: Any, shape: Sequence[int]) -> int | None:
    """The axis of rows in (B, D) or (layers, B, H); None for (B, T, ...)."""
    rows, steps = shape[:2]
    if not isinstance(value, torch.Tensor) or not value.dtype.is_floating_point:
        return None
    if value.dim() == 2 and value.shape[0] == rows and value.shape[1] != steps:
        return 0
    is_state = value.dim() == 3 and value.shape[1] == rows and value.shape[0] != rows
    return 1 if is_state else None


def _drawn(found: Influence) -> Figure:
    top = float(found.moved.max()) or 1.0
    return Figure(
        title="influence of each position",
        x="position",
        y="row",
        heat_map=HeatMap((found.moved / top).tolist(), masked=found.padding.tolist()),
    )
