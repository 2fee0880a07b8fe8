"""Tensors and numpy arrays for the session, as one kind of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch

RTOL, ATOL = 1e-4, 1e-6  # of naming: as for tensors


def is_array(value: Any) -> bool:
    """True for an array and nothing else, not even a subclass of one."""
    return type(value) is np.ndarray


def has_numbers(value: Any) -> bool:
    """True for a tensor and for an array of any class."""
    return isinstance(value, torch.Tensor | np.ndarray)


def as_array(value: torch.Tensor | np.ndarray) -> np.ndarray:
    """The numbers of a tensor, detached, or of an array; its memory where it can be."""
    if isinstance(value, np.ndarray):
        return value
    plain = value.detach()
    if plain.dtype in (torch.float16, torch.bfloat16):
        plain = plain.float()
    array: np.ndarray = plain.resolve_conj().resolve_neg().numpy()
    return array


def as_sent_and_now(
    value: np.ndarray, read: Callable[[int], bytes]
) -> tuple[np.ndarray, np.ndarray]:
    """An input as it was sent and as it stands in our memory now, both flat.

    Args:
        value: what was sent.
        read: gives so many bytes of the memory where it was put.
    """
    sent = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
    return sent, np.frombuffer(read(sent.nbytes), dtype=np.uint8)


def same(a: np.ndarray, b: Any) -> bool:
    """Equal within tolerance, of one shape and dtype; NaN equals NaN."""
    if not is_array(b) or a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind not in "fc":
        return bool((a == b).all())
    return bool(np.allclose(a, b, rtol=RTOL, atol=ATOL, equal_nan=True))
