"""Tensors and arrays: how one stands in a head, beside its bytes in a blob or arena.

torch and numpy are used only when they are there already, so that a numpy-only
course never imports torch.
"""

from __future__ import annotations

import struct
import sys
from typing import Any

from grader.wire.caps import ITEM_SIZE, MAX_DIMS

# Extensions of MessagePack: TUPLE and so on of Python, TENSOR of torch, ARRAY of numpy.
TUPLE, TENSOR, ARRAY, HANDLE, DTYPE, COMPLEX, BYTES = range(1, 8)

# A tensor in a head: dtype (its place in ITEM_SIZE), whether it asks for a
# gradient, dimensions, arena (-1: the frame's own blob), offset; then the sizes.
TENSOR_HEAD = struct.Struct("<BBBiq")
SIZES = [struct.Struct(f"<{n}Q") for n in range(MAX_DIMS + 1)]
NAMES = tuple(ITEM_SIZE)
NUMBER = {name: i for i, name in enumerate(NAMES)}
# What numpy has no numbers for, or memory no view of, takes the long way.
DIRECT = frozenset(NAMES) - {"bfloat16", "complex64", "complex128"}
_dtypes: dict[Any, str] = {}  # torch's own, by name, once torch is there


def dtype_name(torch: Any, dtype: Any) -> str:
    """The name of a dtype that has a place on the wire, else ""."""
    if not _dtypes:
        _dtypes.update({getattr(torch, name): name for name in NAMES})
    return _dtypes.get(dtype, "")


def in_order(value: Any) -> Any:
    """A tensor as it is sent: on the CPU, its numbers row after row, no graph.

    Whatever its strides were, it arrives contiguous: how memory lies is no part of
    what an exercise asks, and an answer that calls ``.view`` is as right as one that
    calls ``.reshape``.
    """
    return value.detach().cpu().resolve_conj().resolve_neg().contiguous()


def torch_here() -> Any:
    """torch, where somebody has imported it; else None."""
    return sys.modules.get("torch")


def numpy_here() -> Any:
    """numpy, where somebody has imported it; else None."""
    return sys.modules.get("numpy")
