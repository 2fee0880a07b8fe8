"""What a report shows of a failing check: the smallest example that still fails.

Public checks show the case itself, made smaller. Of hidden ones a fresh case is
drawn from another seed, and nothing is shown in which an input of the hidden
run stands, or a number that the task asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from grader.results import Example, Figure, HeatMap, Table
from grader.session.faults import StudentError
from grader.session.influence import Influence, find_padded, measure
from grader.session.journal import Call
from grader.session.parameters import names_of
from grader.session.show import table
from grader.session.shrink import Failing
from grader.submission import Source

if TYPE_CHECKING:
    import torch

    from grader.session.runner import Runner
else:
    from grader.session.tensors import torch

MOST_TABLES = 6
SLICES = 2  # of an input with three axes
SHORT = 40  # characters of an argument that is written out
TELLING_SIZE = 2  # an input of so few numbers is nobody's secret


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
    if isinstance(subject, torch.Tensor):
        for call in reversed(asked):
            if any(_is_part(subject, t) for t in _tensors(call.value)):
                return call
    return asked[-1] if asked else None


def _is_part(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()


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
    for value in _flat([call.args, call.kwargs]):
        if isinstance(value, torch.Tensor):
            plain = value.detach()
            if plain.numel() > TELLING_SIZE and not _is_constant(plain):
                found.append(plain)
        elif isinstance(value, str) and len(value) > TELLING_SIZE:
            found.append(value)
    for value in [*call.args, *call.kwargs.values()]:
        if isinstance(value, list | tuple) and len(value) > TELLING_SIZE:
            found.append([v for v in _flat(value) if not isinstance(v, torch.Tensor)])
    return [v for v in found if isinstance(v, torch.Tensor) or len(v)]


def _is_constant(value: torch.Tensor) -> bool:
    return bool((value == value.flatten()[0]).all())


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return a.shape == b.shape and a.dtype == b.dtype and bool((a == b).all())
    return type(a) is type(b) and not isinstance(a, torch.Tensor) and bool(a == b)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in _flat(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in _flat(item)]
    return [value]


def _tensors(value: Any) -> list[torch.Tensor]:
    return [v for v in _flat(value) if isinstance(v, torch.Tensor)]


def _without_gap(got: str) -> str:
    """How far off it is would tell what must stand there."""
    return got.split(" (off in")[0]


def _written(call: Call, names: Sequence[str]) -> str:
    """The call as one would write it, tensors by their names."""
    parts = [_argument(n, v) for n, v in zip(names, call.args, strict=False)]
    parts += [f"{n}={_argument(n, v)}" for n, v in call.kwargs.items()]
    name = str(call.target[-1]) or "forward"
    return f"{name}({', '.join(parts)})"


def _argument(name: str, value: Any) -> str:
    known = (bool, int, float, str, list, tuple, type(None))
    if isinstance(value, known) and not _tensors(value):
        text = repr(value)
        return text if len(text) <= SHORT else name
    return name


def _inputs(given: Sequence[tuple[str, Any]]) -> list[Table]:
    mask = _mask(given)
    tables = []
    for name, value in given:
        if isinstance(value, torch.Tensor):
            slices: list[tuple[int, ...]] = [()]
            if value.dim() == 3:
                slices = [(i,) for i in range(min(SLICES, value.shape[0]))]
            shown = [table(name, value, at=at) for at in slices]
            fits = mask is not None and mask.shape == value.shape
            tables += [
                table(name, value, at=at, masked=mask) if fits else plain
                for at, plain in zip(slices, shown, strict=True)
            ]
        elif isinstance(value, list | tuple) and len(repr(value)) > SHORT:
            numbers = [v for v in _flat(value) if isinstance(v, int | float)]
            if numbers:
                tables.append(table(name, torch.tensor(numbers)))
    return tables[:MOST_TABLES]


def _mask(given: Sequence[tuple[str, Any]]) -> torch.Tensor | None:
    """The mask among the inputs, stretched over the largest tensor that it fits."""
    values = [v for _, v in given if isinstance(v, torch.Tensor)]
    masks = [v for v in values if v.dtype is torch.bool and v.dim()]
    if len(masks) != 1:
        return None
    for value in values:
        if value is masks[0] or value.dtype is torch.bool:
            continue
        try:
            return masks[0].expand(value.shape)
        except RuntimeError:
            continue
    return masks[0]


def _with_mask(shown: Table, mask: torch.Tensor | None) -> Table:
    """The table of an answer, with the mask drawn in where it is of that shape."""
    if mask is None or shown.masked is not None or shown.shape != list(mask.shape):
        return shown
    if mask.dim() > 2:
        return shown
    hidden = mask.reshape(1, -1) if mask.dim() < 2 else mask
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
    tensors = _tensors(answer)
    return next((t for t in tensors if _row_axis(t, shape) is not None), None)


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
