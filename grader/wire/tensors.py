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
# PERMUTED beside the gradient: sizes and bytes are those of its memory, and one
# byte for each dimension follows, as permute() takes them. Requests alone have it.
TENSOR_HEAD = struct.Struct("<BBBiq")
PERMUTED = 2
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


def in_memory_order(value: Any) -> tuple[Any, tuple[int, ...]]:
    """A tensor as it is sent where its layout travels too.

    Args:
        value: a tensor of any strides, which may require a gradient.

    Returns:
        block: contiguous and detached, with its numbers in the order in which they
            are sent.
        order: ``block.permute(order)`` has shape and strides of ``value``, whose
            memory is a dense block with its dimensions in another order. () where
            ``value`` is contiguous, and where its memory has gaps or overlaps: that
            is sent, and arrives, contiguous.
    """
    value = value.detach().cpu()
    if value.is_contiguous():
        return value.resolve_conj().resolve_neg(), ()
    strides = value.stride()
    outermost = sorted(range(value.dim()), key=strides.__getitem__, reverse=True)
    block = value.permute(outermost)
    if not block.is_contiguous():
        return value.contiguous().resolve_conj().resolve_neg(), ()
    order = tuple(sorted(range(value.dim()), key=outermost.__getitem__))
    return block.resolve_conj().resolve_neg(), order


def torch_here() -> Any:
    """torch, where somebody has imported it; else None."""
    return sys.modules.get("torch")


def numpy_here() -> Any:
    """numpy, where somebody has imported it; else None."""
    return sys.modules.get("numpy")
