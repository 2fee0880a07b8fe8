"""Runs before student code: import and use once what students use."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import sys
from collections.abc import Iterator

# At the level minimal nothing can be imported late, so what exercises are solved
# with is imported here, and what libraries import at first use.
# encodings.idna: a connection would fail for want of it instead of being refused
# in words.
ALSO_WARM = (
    "abc", "argparse", "array", "bisect", "collections.abc", "contextlib", "copy",
    "csv", "dataclasses", "decimal", "encodings.idna", "enum", "fractions",
    "functools", "heapq", "inspect", "io", "itertools", "json", "logging", "math",
    "numbers", "operator", "pathlib", "pickle", "pprint", "queue", "random", "re",
    "statistics", "string", "tempfile", "textwrap", "threading", "time", "timeit",
    "traceback", "types", "typing", "unicodedata", "unittest", "unittest.mock",
    "uuid", "warnings", "weakref", "zoneinfo",
)  # fmt: skip
# Of a library in the course's list, what it imports at first use.
LATE = {
    "numpy": (
        "numpy.fft", "numpy.linalg", "numpy.ma", "numpy.polynomial", "numpy.random",
        "numpy.testing",
    ),
    "torch": (
        "torch.autograd.functional", "torch.autograd.gradcheck",
        "torch.distributions", "torch.fft", "torch.func", "torch.linalg",
        "torch.nn.init", "torch.nn.utils.clip_grad", "torch.nn.utils.parametrizations",
        "torch.nn.utils.parametrize", "torch.nn.utils.rnn", "torch.optim.lr_scheduler",
        "torch.special", "torch.testing", "torch.utils.checkpoint", "torch.utils.data",
    ),
}  # fmt: skip


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Import without the collector of cyclic garbage, and never look there again.

    Nearly all of it lives on: looking through it takes a quarter of an import of
    torch, and in a fork it copies every page that it looks at.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def warm(libraries: list[str]) -> None:
    """Import and use once what students use, so that every fork has it warm."""
    with uncollected():
        _warm(libraries)


def _warm(libraries: list[str]) -> None:
    for name in libraries:
        importlib.import_module(name)
        for part in LATE.get(name, ()):
            importlib.import_module(part)
    for name in ALSO_WARM:
        importlib.import_module(name)
    if "torch" in libraries:
        warm_torch()
    from grader.worker import server  # noqa: F401  (workers find it imported)


def warm_torch() -> None:
    """Use once what is slow only at first: a process that forks does it for all."""
    import torch

    torch.set_num_threads(1)
    # oneDNN writes machine code for each new shape of a recurrent layer: 4 ms where
    # the plain kernels take 1, and a check's shapes are new and small.
    torch.backends.mkldnn.enabled = False  # type: ignore[assignment]
    lstm = torch.nn.LSTM(3, 4, batch_first=True)
    # The first optimizer of a process imports torch._dynamo: 0.9 s.
    optimizer = torch.optim.Adam(lstm.parameters())
    packed = torch.nn.utils.rnn.pack_padded_sequence(
        torch.ones(2, 3, 3),
        torch.tensor([2, 3]),
        batch_first=True,
        enforce_sorted=False,
    )
    output, _ = lstm(packed)
    padded, _ = torch.nn.utils.rnn.pad_packed_sequence(output, batch_first=True)
    torch.autograd.backward(padded.pow(2).mean())
    optimizer.step()
    for dtype in (torch.float16, torch.bfloat16):
        torch.softmax(torch.ones(2, 3, dtype=dtype), -1)
    torch.nn.functional.conv1d(torch.ones(1, 1, 4), torch.ones(1, 1, 2))
    repr(torch.ones(2))
    # Saving imports late, and at the level minimal nothing is imported late.
    buffer = io.BytesIO()
    torch.save(lstm.state_dict(), buffer)
    buffer.seek(0)
    torch.load(buffer, weights_only=True)  # our own bytes, written just above


def one_thread() -> None:
    """The first act of a fork: else libgomp's lost pool can hang it for ever."""
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)
