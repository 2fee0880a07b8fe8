"""Values into MessagePack natives, extensions and raw bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from grader.wire.caps import (
    ITEM_SIZE,
    MAX_BLOB,
    MAX_DEPTH,
    MAX_DIMS,
    MAX_KEYS,
    CannotSendError,
)
from grader.wire.messages import Handle
from grader.wire.tensors import (
    ARRAY,
    BYTES,
    COMPLEX,
    DIRECT,
    DTYPE,
    HANDLE,
    NUMBER,
    SIZES,
    TENSOR,
    TENSOR_HEAD,
    TUPLE,
    dtype_name,
    in_order,
    numpy_here,
    torch_here,
)

_pack = msgspec.msgpack.Encoder().encode


class Encoder:
    """Values into (head-ready structure, blob).

    Args:
        place: puts a tensor's bytes somewhere and returns (arena, offset);
            without it they go into the blob of the frame.
        handle: turns an object that is no data into a ``Handle``, or raises.
        on_tensor: told of every tensor, in order.
        on_array: told of every numpy array, in order.
    """

    def __init__(
        self,
        place: Callable[[Any], tuple[int, int]] | None = None,
        handle: Callable[[Any], Handle] | None = None,
        on_tensor: Callable[[Any], None] | None = None,
        on_array: Callable[[Any], None] | None = None,
    ) -> None:
        self.blob = bytearray()
        self._place = place
        self._handle = handle
        self._on_tensor = on_tensor
        self._on_array = on_array

    def encode(self, value: Any, depth: int = 0) -> Any:
        """``value`` as MessagePack natives and extensions.

        Raises:
            CannotSendError: some part of it is not plain data.
        """
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if kind is int:
            if -(1 << 63) <= value < 1 << 63:
                return value
            raise CannotSendError("an int of more than 64 bits")
        if kind is str:
            if value.isascii():
                return value
            return value.encode("utf-8", "replace").decode()  # no lone surrogates
        if depth > MAX_DEPTH:
            raise CannotSendError("data nested too deeply")
        if kind is list:
            return [self.encode(v, depth + 1) for v in value]
        if kind is tuple:
            return _extension(TUPLE, [self.encode(v, depth + 1) for v in value])
        if kind is dict:
            if len(value) > MAX_KEYS:
                raise CannotSendError(f"a dict of more than {MAX_KEYS} keys")
            return {self._key(k): self.encode(v, depth + 1) for k, v in value.items()}
        return self._encode_rare(value, depth)

    def _key(self, key: Any) -> Any:
        numpy = numpy_here()
        if numpy is not None and isinstance(key, numpy.generic):
            key = key.item()  # of np.unique, say: equal to Python's
        if type(key) in (str, int, bool):
            return self.encode(key)
        raise CannotSendError(f"a dict key of {type(key).__name__}")

    def _encode_rare(self, value: Any, depth: int) -> Any:
        torch, numpy = torch_here(), numpy_here()
        if torch is not None and isinstance(value, torch.Tensor):
            return self._tensor(torch, value)
        if torch is not None and isinstance(value, torch.dtype):
            return _extension(DTYPE, str(value).removeprefix("torch."))
        if torch is not None and isinstance(value, torch.Size):
            return self.encode(tuple(int(n) for n in value), depth)
        if numpy is not None and isinstance(value, numpy.ndarray):
            return self._array(numpy, value)
        if numpy is not None and isinstance(value, numpy.generic):
            # item() of the widest two is themselves.
            if isinstance(value, numpy.clongdouble):
                return self.encode(complex(value), depth)
            wide = isinstance(value, numpy.longdouble)
            return self.encode(float(value) if wide else value.item(), depth)
        if type(value) is complex:
            return _extension(COMPLEX, [value.real, value.imag])
        if type(value) in (bytes, bytearray):
            return _extension(BYTES, bytes(value))
        if isinstance(value, Handle):
            return _extension(HANDLE, value.number)
        return self._encode_odd(value, depth)

    def _encode_odd(self, value: Any, depth: int) -> Any:
        # Subclasses (namedtuples, OrderedDict, IntEnum) travel as their base.
        bases: tuple[Any, ...] = (bool, int, float, str, list, tuple, dict)
        for base in bases:
            if isinstance(value, base):
                return self.encode(base(value), depth)
        if isinstance(value, range):
            return self.encode(list(value), depth)
        if self._handle is not None:
            return _extension(HANDLE, self._handle(value).number)
        raise CannotSendError(f"an object of {type(value).__name__}")

    def _tensor(self, torch: Any, value: Any) -> msgspec.msgpack.Ext:
        if self._on_tensor is not None:
            self._on_tensor(value)
        plain = value.detach()
        name = dtype_name(torch, plain.dtype)
        if not name or plain.layout is not torch.strided:
            raise CannotSendError(f"a tensor of {plain.dtype}, {plain.layout}")
        if name in DIRECT and plain.is_contiguous() and plain.numel():
            if plain.device.type != "cpu" or plain.is_neg():
                plain = plain.cpu().resolve_neg()
            raw = memoryview(plain.numpy()).cast("B")
        else:
            plain = in_order(plain)
            raw = memoryview(plain.reshape(-1).view(torch.uint8).numpy())
        return self._numbers(TENSOR, name, plain.shape, value.requires_grad, raw)

    def _array(self, numpy: Any, value: Any) -> msgspec.msgpack.Ext:
        if self._on_array is not None:
            self._on_array(value)
        name = value.dtype.name
        if name not in ITEM_SIZE:
            raise CannotSendError(f"an array of {name}")
        flat = numpy.ascontiguousarray(value).reshape(-1).view(numpy.uint8)
        return self._numbers(ARRAY, name, value.shape, False, memoryview(flat))

    def _numbers(
        self, code: int, name: str, shape: Any, grad: bool, raw: memoryview
    ) -> msgspec.msgpack.Ext:
        dims = len(shape)
        if dims > MAX_DIMS:
            raise CannotSendError(f"a tensor of more than {MAX_DIMS} dimensions")
        arena, offset = self._store(raw)
        head = TENSOR_HEAD.pack(NUMBER[name], grad, dims, arena, offset)
        return msgspec.msgpack.Ext(code, head + SIZES[dims].pack(*shape))

    def _store(self, raw: memoryview) -> tuple[int, int]:
        if self._place is not None:
            return self._place(raw)
        offset = len(self.blob)
        if offset + raw.nbytes > MAX_BLOB:
            raise CannotSendError(f"more than {MAX_BLOB >> 20} MiB of tensors")
        self.blob += raw
        return (-1, offset)


def _extension(code: int, payload: Any) -> msgspec.msgpack.Ext:
    return msgspec.msgpack.Ext(code, _pack(payload))
