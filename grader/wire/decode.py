"""The way back: what a peer sent, held to known types and fixed caps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from grader.wire.caps import (
    ITEM_SIZE,
    MAX_BLOB,
    MAX_DEPTH,
    MAX_DIMS,
    MAX_HOLLOW,
    MAX_NUMBERS,
    MAX_TENSORS,
    ProtocolError,
)
from grader.wire.scan import check_maps
from grader.wire.tensors import (
    ARRAY,
    BYTES,
    COMPLEX,
    DIRECT,
    DTYPE,
    HANDLE,
    NAMES,
    SIZES,
    TENSOR,
    TENSOR_HEAD,
    TUPLE,
    numpy_here,
    torch_here,
)


class Decoder:
    """The inverse of ``Encoder``, with every size and type checked.

    Args:
        kind: ``Request`` or ``Reply``: what a head must be.
        find: memory of an arena by its number; without it only the frame's own
            blob may be used (the session never reads a place named by a worker).
        copy: tensors own their memory (else they share the arena's).
    """

    def __init__(
        self,
        kind: Any,
        find: Callable[[int], memoryview] | None = None,
        copy: bool = True,
    ) -> None:
        self._find = find
        self._copy = copy
        hook = self._extension
        self._head = msgspec.msgpack.Decoder(kind, ext_hook=hook)
        self._list = msgspec.msgpack.Decoder(list, ext_hook=hook)
        self._begin(b"", None, None)

    def _begin(self, blob: Any, handle: Any, on_tensor: Any) -> None:
        self._blob = memoryview(blob)
        self._handle = handle
        self._on_tensor = on_tensor
        self._depth = 0
        self._left = len(self._blob)  # each byte of a blob is copied once
        self._tensors = 0

    def decode(
        self,
        head: bytes | bytearray | memoryview,
        blob: bytes | bytearray | memoryview,
        handle: Callable[[int], Any] | None = None,
        on_tensor: Callable[[Any], None] | None = None,
    ) -> Any:
        """One message.

        Args:
            head: its structure.
            blob: bytes of its tensors.
            handle: turns a handle's number into what stands for it on this side.
            on_tensor: told of every tensor, in the order of the encoder.

        Raises:
            ProtocolError: it is none, or breaks a cap.
        """
        self._begin(blob, handle, on_tensor)
        try:
            check_maps(head)
            return self._head.decode(head)
        except ProtocolError:
            raise
        except (
            msgspec.MsgspecError, ValueError, TypeError, OverflowError, RuntimeError
        ) as e:  # fmt: skip
            if isinstance(e, RecursionError):
                raise ProtocolError("a message nested too deeply") from None
            raise ProtocolError(f"malformed message: {str(e)[:200]}") from None
        except MemoryError:
            raise ProtocolError("a message that is too large") from None
        finally:
            self._begin(b"", None, None)  # keeps nothing of the message alive

    def _extension(self, code: int, data: memoryview) -> Any:
        if code == TENSOR or code == ARRAY:
            return self._numbers(code, data)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ProtocolError("a message nested too deeply")
        try:
            return self._known(code, data)
        finally:
            self._depth -= 1

    def _known(self, code: int, data: memoryview) -> Any:
        if code == TUPLE:
            check_maps(data)
            return tuple(self._list.decode(data))
        decode = msgspec.msgpack.decode
        if code == HANDLE:
            number = decode(data, type=int)
            if self._handle is None:
                raise ProtocolError("an object where only data may stand")
            return self._handle(number)
        if code == DTYPE:
            return _dtype(decode(data, type=str))
        if code == COMPLEX:
            return complex(*decode(data, type=tuple[float, float]))
        if code == BYTES:
            return decode(data, type=bytes)
        raise ProtocolError(f"unknown extension {code}")

    def _numbers(self, code: int, data: memoryview) -> Any:
        self._tensors += 1
        if self._tensors > MAX_TENSORS:
            raise ProtocolError(f"more than {MAX_TENSORS} tensors in one answer")
        if len(data) < TENSOR_HEAD.size:
            raise ProtocolError("a tensor without its head")
        kind, grad, dims, arena, at = TENSOR_HEAD.unpack_from(data)
        if kind >= len(NAMES) or grad > 1 or dims > MAX_DIMS:
            raise ProtocolError("a tensor of unknown dtype or too many dimensions")
        if len(data) != TENSOR_HEAD.size + 8 * dims:
            raise ProtocolError("a tensor whose sizes are missing")
        shape = SIZES[dims].unpack_from(data, TENSOR_HEAD.size)
        name = NAMES[kind]
        raw = self._bytes(_count(shape) * ITEM_SIZE[name], arena, at)
        if code == ARRAY:
            return self._array(name, shape, raw)
        value = self._tensor(name, shape, raw)
        if grad and value.dtype.is_floating_point:
            value.requires_grad_()
        if self._on_tensor is not None:
            self._on_tensor(value)
        return value

    def _bytes(self, size: int, arena: int, at: int) -> memoryview:
        if arena < 0:
            memory = self._blob
        elif self._find is None:
            raise ProtocolError("a tensor outside its message")
        else:
            memory = self._find(arena)
        if at < 0 or at + size > len(memory):
            raise ProtocolError("a tensor whose bytes are missing")
        if self._copy:
            self._left -= size
            if self._left < 0:
                raise ProtocolError("tensors that share their bytes")
        return memory[at : at + size]

    def _tensor(self, name: str, shape: tuple[int, ...], raw: memoryview) -> Any:
        torch, numpy = torch_here(), numpy_here()
        if torch is None:
            raise ProtocolError("a tensor in a course without torch")
        if not len(raw):
            return torch.zeros(shape, dtype=getattr(torch, name))
        source = bytearray(raw) if self._copy else raw
        if name == "bool":
            # A byte other than 0 and 1 is no bool; comparing makes it one.
            flat = torch.frombuffer(source, dtype=torch.uint8)
            flat = flat != 0 if self._copy else flat.view(torch.bool)
            return flat.reshape(shape).data
        if numpy is not None and name in DIRECT:
            # No view of another tensor, so that detach_() works on it.
            return torch.from_numpy(numpy.frombuffer(source, name).reshape(shape))
        return torch.frombuffer(source, dtype=getattr(torch, name)).reshape(shape).data

    def _array(self, name: str, shape: tuple[int, ...], raw: memoryview) -> Any:
        import numpy

        try:
            dtype = numpy.dtype(name)
        except TypeError:
            raise ProtocolError(f"an array of {name}") from None
        source = bytearray(raw) if self._copy else raw
        return numpy.frombuffer(source, dtype=dtype).reshape(shape)


def _count(shape: tuple[int, ...]) -> int:
    """Numbers of a tensor of this shape, within the caps."""
    count = hollow = 1
    for n in shape:
        if not 0 <= n <= MAX_BLOB:
            raise ProtocolError("a tensor with an impossible size")
        count, hollow = count * n, hollow * max(n, 1)
        if count > MAX_NUMBERS:
            raise ProtocolError("a tensor that is too large")
    if not count and hollow > MAX_HOLLOW:
        raise ProtocolError("an empty tensor with impossible sizes")
    return count


def _dtype(name: str) -> Any:
    torch = torch_here()
    if name not in ITEM_SIZE or torch is None:
        raise ProtocolError("an unknown dtype")
    return getattr(torch, name)
