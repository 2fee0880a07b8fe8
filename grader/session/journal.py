"""The journal of a check: what was asked, what came back, what became of inputs.

A check's calls are kept while its exercise is graded. What is kept longer, to
name mistakes by their behaviour, is a ``Record`` for each check: no inputs, no
graphs, and of a large tensor only means of its parts, so that a session does
not grow with what it has graded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from grader.session.arrays import as_array

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch

RTOL, ATOL = 1e-4, 1e-6
WHOLE = 1024  # numbers of a tensor that are kept one by one
PARTS = 256  # of a larger one: so many numbers, and means of so many parts
TOO_MUCH = Ellipsis  # stands for an answer that was not kept; equals no answer


@dataclass(slots=True)
class Call:
    """One journalled call: what was asked and what came back."""

    target: list[Any]
    args: Any
    kwargs: Any
    value: Any


class Raised(NamedTuple):
    """In place of an answer: student code raised an exception of this class."""

    kind: str


class Record(NamedTuple):
    """All answers of a check: what must be equal, and numbers that must be near.

    Both are one piece, so that two records are compared in microseconds. ``form``
    is a digest; ``whole``: nothing was too much to be kept.
    """

    form: bytes
    numbers: np.ndarray
    whole: bool = True


def record(calls: Iterable[Call]) -> Record:
    """The answers of a check's calls, detached from everything."""
    form: list[Any] = []
    parts: list[np.ndarray] = []
    for call in calls:
        form.append(str(call.target[-1]))
        _add(call.value, form, parts)
    digest = hashlib.blake2b(repr(form).encode("utf-8", "replace"), digest_size=16)
    numbers = np.concatenate(parts) if parts else np.zeros(0, np.float32)
    return Record(digest.digest(), numbers, TOO_MUCH not in form)


def agree(mine: Record, theirs: Record) -> bool:
    """The same calls with the same answers, within tolerance; NaN equals NaN."""
    if not (mine.whole and theirs.whole):
        return False
    if mine.form != theirs.form or mine.numbers.shape != theirs.numbers.shape:
        return False
    x, y = mine.numbers, theirs.numbers
    with np.errstate(all="ignore"):
        close = (np.abs(x - y) <= ATOL + RTOL * np.abs(y)) & np.isfinite(y)
    return bool((close | (x == y) | ((x != x) & (y != y))).all())


def fates(pairs: Iterable[tuple[Any, Any]]) -> list[Call]:
    """What became of the inputs of a call, as a call of its own; [] if nothing did.

    Args:
        pairs: each tensor or array as it was sent, and as it stands in our memory now.
    """
    changed = [
        (before != after) & ((before == before) | (after == after))
        for before, after in pairs
    ]
    if not any(bool(c.any()) for c in changed):
        return []
    # Where, not to what: one overwrites with -inf, another with -1e9.
    return [Call(["inputs"], (), {}, changed)]


def _add(value: Any, form: list[Any], parts: list[np.ndarray]) -> None:
    """Take ``value`` apart; a list where others give a tuple is no difference."""
    if isinstance(value, torch.Tensor):
        form.append((tuple(value.shape), str(value.dtype), value.requires_grad))
        _add_numbers(as_array(value), form, parts)
    elif isinstance(value, Raised):
        form.append(value)
    elif isinstance(value, list | tuple):
        form.append(("list", len(value)))
        for item in value:
            _add(item, form, parts)
    elif isinstance(value, dict):
        form.append(("dict", len(value)))
        for key, item in value.items():
            form.append(key)
            _add(item, form, parts)
    elif isinstance(value, float):
        form.append("float")
        _add_numbers(np.array([value]), form, parts)
    elif isinstance(value, bool | int | str | bytes | None) or value is TOO_MUCH:
        form.append(value)
    elif isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biufc":
        form.append((value.shape, value.dtype.str))
        _add_numbers(np.asarray(value), form, parts)
    else:  # a dtype, or an object, of which only the kind is compared
        word = type(value).__name__
        form.append(str(value) if word == "dtype" else word)


def _add_numbers(value: np.ndarray, form: list[Any], parts: list[np.ndarray]) -> None:
    flat = np.ascontiguousarray(value).reshape(-1)
    if flat.dtype.kind not in "fc":
        form.append(hashlib.blake2b(flat.tobytes(), digest_size=16).digest())
        return
    if flat.dtype.kind == "c":
        flat = flat.view(flat.real.dtype)
    with np.errstate(all="ignore"):
        # Single precision is enough for the tolerance, and half the memory.
        kept = _summary(flat) if flat.size > WHOLE else flat
        parts.append(kept.astype(np.float32))


def _summary(flat: np.ndarray) -> np.ndarray:
    """Single numbers, which see a permutation, and means, which see any change."""
    size = flat.size // PARTS
    rows = flat[: size * PARTS].reshape(PARTS, size)
    rest = flat[size * PARTS :].sum(keepdims=True)
    return np.concatenate([rows.mean(1), rest, rows[:, 0]])


def bytes_of(value: Any) -> int:
    """Roughly what it costs to keep ``value``."""
    if isinstance(value, torch.Tensor):
        return value.numel() * value.element_size()
    if isinstance(value, list | tuple):
        return 8 * len(value) + sum(map(bytes_of, value))
    if isinstance(value, dict):
        return 64 * len(value) + sum(map(bytes_of, value.values()))
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, np.ndarray | np.generic):
        return int(value.nbytes)
    return 8
