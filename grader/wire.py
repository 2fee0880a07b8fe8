"""Messages between a session and a worker, and how values travel. Both sides.

A frame is 8 bytes (two big-endian uint32: length of head and blob), a head in
MessagePack, and a blob of raw tensor bytes. Nothing on the wire is code or a
pickle. What comes from a worker is a claim: ``Reader`` and ``Decoder`` hold it
to fixed caps and known types, and everything else is ``ProtocolError``.

This module imports no other part of the grader, and torch only when it is
there already, so that a numpy-only course never imports it.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from typing import Any

import msgspec

HEADER = struct.Struct(">II")
MAX_HEAD = 1 << 20  # bytes: a value's structure, strings and errors
MAX_BLOB = 1 << 26  # bytes: the tensors of one message
MAX_DEPTH = 24
MAX_DIMS = 16
MAX_NUMBERS = 1 << 24  # of one tensor: a suite works in float64, 128 MiB of it
MAX_KEYS = 1024  # of one dict: a worker can choose keys that collide, n * n / 2
MAX_NOTES = 10_000  # progress notes while one request is answered
MAX_HOLLOW = 1 << 20  # other sizes of a tensor with a size of 0: a sum fills them
_SMALL_HEAD = 4096  # bytes; no map in here has keys enough to matter

_TUPLE, _TENSOR, _ARRAY, _HANDLE, _DTYPE, _COMPLEX, _BYTES = range(1, 8)

# name -> bytes per number; the names are those of torch and of numpy.
ITEM_SIZE = {
    "float64": 8, "float32": 4, "float16": 2, "bfloat16": 2,
    "complex64": 8, "complex128": 16, "bool": 1, "uint8": 1,
    "int8": 1, "int16": 2, "int32": 4, "int64": 8,
}  # fmt: skip


class ProtocolError(Exception):
    """A peer sent something that is no message of ours."""


class CannotSendError(TypeError):
    """A value is not plain data and has no place on the wire."""


class Handle(msgspec.Struct, frozen=True):
    """The number of an object that stays in the worker."""

    number: int


class Request(msgspec.Struct, array_like=True):
    """From the session. ``op`` is one of server.OPERATIONS.

    ``target`` names what is called; ``value`` holds (args, kwargs) or the
    operation's own data; ``grad`` is the session's grad mode; ``release``
    lists graphs and handles that nobody needs any more. ``seed`` comes with the
    first request of a check, for the worker's own generators. ``patience`` is
    (CPU seconds, wall seconds) after which the worker says where it is.
    """

    number: int
    op: str
    target: list[Any]
    value: Any = None
    grad: bool = True
    release: list[int] = []
    seed: int | None = None
    patience: list[float] = []


class Failure(msgspec.Struct, array_like=True):
    """An exception in the worker, as text.

    ``kinds`` are the class names along its method resolution order, ``frames``
    (file, line, function) triples, innermost last.
    """

    kinds: list[str]
    message: str
    frames: list[tuple[str, int, str]] = []


class Reply(msgspec.Struct, array_like=True):
    """From a worker, answering the request of the same number.

    ``graph`` is the number of the graph kept for backward (0: none),
    ``tracked`` which of the tensors in ``value``, counted in order, belong to
    it. ``failure`` is set when the operation raised.
    """

    number: int
    value: Any = None
    graph: int = 0
    tracked: list[int] = []
    failure: Failure | None = None


# A note stands between a request and its reply: its header is one that no
# message has, its body three numbers, so that any bytes of that length are one.
_NOTE_HEADER = HEADER.pack(0xFFFFFFFF, 0)
_NOTE = struct.Struct(">qqd")


class Note(msgspec.Struct, frozen=True):
    """Progress, as student code tells it: shown while it runs, never trusted."""

    step: int
    steps: int
    value: float


def note_frame(note: Note) -> bytes:
    """The bytes of a note, header included.

    Raises:
        CannotSendError: a step is no number of 64 bits.
    """
    try:
        return _NOTE_HEADER + _NOTE.pack(note.step, note.steps, note.value)
    except struct.error as e:
        raise CannotSendError(f"a step of this kind: {e}") from None


def is_note(header: bytes | bytearray) -> bool:
    """Whether the 24 bytes of a note follow."""
    return header == _NOTE_HEADER


def read_note(body: bytes | bytearray) -> Note:
    """The note in 24 bytes, whatever they are."""
    return Note(*_NOTE.unpack(body))


def _torch() -> Any:
    return sys.modules.get("torch")


def _numpy() -> Any:
    return sys.modules.get("numpy")


# A tensor in a head: dtype (its place in ITEM_SIZE), whether it asks for a
# gradient, dimensions, arena (-1: the frame's own blob), offset; then the sizes.
# _PERMUTED beside the gradient: sizes and bytes are those of its memory, and one
# byte for each dimension follows, as permute() takes them. Requests alone have it.
_TENSOR_HEAD = struct.Struct("<BBBiq")
_PERMUTED = 2
_SIZES = [struct.Struct(f"<{n}Q") for n in range(MAX_DIMS + 1)]
_NAMES = tuple(ITEM_SIZE)
_NUMBER = {name: i for i, name in enumerate(_NAMES)}
# What numpy has no numbers for, or memory no view of, takes the long way.
_DIRECT = frozenset(_NAMES) - {"bfloat16", "complex64", "complex128"}
_dtypes: dict[Any, str] = {}  # torch's own, by name, once torch is there
_pack = msgspec.msgpack.Encoder().encode


def _dtype_name(torch: Any, dtype: Any) -> str:
    """The name of a dtype that has a place on the wire, else ""."""
    if not _dtypes:
        _dtypes.update({getattr(torch, name): name for name in _NAMES})
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


class Encoder:
    """Values into (head-ready structure, blob).

    Args:
        place: puts a tensor's bytes somewhere and returns (arena, offset);
            without it they go into the blob of the frame.
        handle: turns an object that is no data into a ``Handle``, or raises.
        on_tensor: told of every tensor, in order.
        on_array: told of every numpy array, in order.
        permuted: a tensor that is no more than a permuted one (``x.mT``) keeps its
            strides. Without it every tensor travels contiguous.
    """

    def __init__(
        self,
        place: Callable[[Any], tuple[int, int]] | None = None,
        handle: Callable[[Any], Handle] | None = None,
        on_tensor: Callable[[Any], None] | None = None,
        on_array: Callable[[Any], None] | None = None,
        permuted: bool = False,
    ) -> None:
        self.blob = bytearray()
        self._place = place
        self._handle = handle
        self._on_tensor = on_tensor
        self._on_array = on_array
        self._permuted = permuted

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
            return _ext(_TUPLE, [self.encode(v, depth + 1) for v in value])
        if kind is dict:
            if len(value) > MAX_KEYS:
                raise CannotSendError(f"a dict of more than {MAX_KEYS} keys")
            return {self._key(k): self.encode(v, depth + 1) for k, v in value.items()}
        return self._encode_rare(value, depth)

    def _key(self, key: Any) -> Any:
        if type(key) in (str, int, bool):
            return self.encode(key)
        raise CannotSendError(f"a dict key of {type(key).__name__}")

    def _encode_rare(self, value: Any, depth: int) -> Any:
        torch, numpy = _torch(), _numpy()
        if torch is not None and isinstance(value, torch.Tensor):
            return self._tensor(torch, value)
        if torch is not None and isinstance(value, torch.dtype):
            return _ext(_DTYPE, str(value).removeprefix("torch."))
        if torch is not None and isinstance(value, torch.Size):
            return self.encode(tuple(int(n) for n in value), depth)
        if numpy is not None and isinstance(value, numpy.ndarray):
            return self._array(numpy, value)
        if numpy is not None and isinstance(value, numpy.generic):
            return self.encode(value.item(), depth)
        if type(value) is complex:
            return _ext(_COMPLEX, [value.real, value.imag])
        if type(value) in (bytes, bytearray):
            return _ext(_BYTES, bytes(value))
        if isinstance(value, Handle):
            return _ext(_HANDLE, value.number)
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
            return _ext(_HANDLE, self._handle(value).number)
        raise CannotSendError(f"an object of {type(value).__name__}")

    def _tensor(self, torch: Any, value: Any) -> msgspec.msgpack.Ext:
        if self._on_tensor is not None:
            self._on_tensor(value)
        plain = value.detach()
        name = _dtype_name(torch, plain.dtype)
        if not name or plain.layout is not torch.strided:
            raise CannotSendError(f"a tensor of {plain.dtype}, {plain.layout}")
        if name in _DIRECT and plain.is_contiguous() and plain.numel():
            if plain.device.type != "cpu" or plain.is_neg():
                plain = plain.cpu().resolve_neg()
            raw = memoryview(plain.numpy()).cast("B")
            return self._numbers(_TENSOR, name, plain.shape, value.requires_grad, raw)
        block, order = in_memory_order(plain if self._permuted else plain.contiguous())
        raw = memoryview(block.reshape(-1).view(torch.uint8).numpy())
        flags = value.requires_grad | (_PERMUTED if order else 0)
        return self._numbers(_TENSOR, name, block.shape, flags, raw, bytes(order))

    def _array(self, numpy: Any, value: Any) -> msgspec.msgpack.Ext:
        if self._on_array is not None:
            self._on_array(value)
        name = value.dtype.name
        if name not in ITEM_SIZE:
            raise CannotSendError(f"an array of {name}")
        flat = numpy.ascontiguousarray(value).reshape(-1).view(numpy.uint8)
        return self._numbers(_ARRAY, name, value.shape, False, memoryview(flat))

    def _numbers(
        self,
        code: int,
        name: str,
        shape: Any,
        flags: int,
        raw: memoryview,
        order: bytes = b"",
    ) -> msgspec.msgpack.Ext:
        dims = len(shape)
        if dims > MAX_DIMS:
            raise CannotSendError(f"a tensor of more than {MAX_DIMS} dimensions")
        arena, offset = self._store(raw)
        head = _TENSOR_HEAD.pack(_NUMBER[name], flags, dims, arena, offset)
        return msgspec.msgpack.Ext(code, head + _SIZES[dims].pack(*shape) + order)

    def _store(self, raw: memoryview) -> tuple[int, int]:
        if self._place is not None:
            return self._place(raw)
        offset = len(self.blob)
        if offset + raw.nbytes > MAX_BLOB:
            raise CannotSendError(f"more than {MAX_BLOB >> 20} MiB of tensors")
        self.blob += raw
        return (-1, offset)


def _ext(code: int, payload: Any) -> msgspec.msgpack.Ext:
    return msgspec.msgpack.Ext(code, _pack(payload))


class Decoder:
    """The inverse of ``Encoder``, with every size and type checked.

    Args:
        kind: ``Request`` or ``Reply``: what a head must be. The tensors of a
            ``Request`` may be permuted ones.
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
        self._may_permute = kind is Request
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
            _check_maps(head)
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
        if code == _TENSOR or code == _ARRAY:
            return self._numbers(code, data)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ProtocolError("a message nested too deeply")
        try:
            return self._known(code, data)
        finally:
            self._depth -= 1

    def _known(self, code: int, data: memoryview) -> Any:
        if code == _TUPLE:
            _check_maps(data)
            return tuple(self._list.decode(data))
        decode = msgspec.msgpack.decode
        if code == _HANDLE:
            number = decode(data, type=int)
            if self._handle is None:
                raise ProtocolError("an object where only data may stand")
            return self._handle(number)
        if code == _DTYPE:
            return _dtype(decode(data, type=str))
        if code == _COMPLEX:
            return complex(*decode(data, type=tuple[float, float]))
        if code == _BYTES:
            return decode(data, type=bytes)
        raise ProtocolError(f"unknown extension {code}")

    def _numbers(self, code: int, data: memoryview) -> Any:
        if len(data) < _TENSOR_HEAD.size:
            raise ProtocolError("a tensor without its head")
        kind, flags, dims, arena, at = _TENSOR_HEAD.unpack_from(data)
        order: tuple[int, ...] = ()
        if flags & _PERMUTED and self._may_permute and code == _TENSOR:
            flags ^= _PERMUTED
            data, order = _split_order(data, dims)
        if kind >= len(_NAMES) or flags > 1 or dims > MAX_DIMS:
            raise ProtocolError("a tensor of unknown dtype or too many dimensions")
        if len(data) != _TENSOR_HEAD.size + 8 * dims:
            raise ProtocolError("a tensor whose sizes are missing")
        shape = _SIZES[dims].unpack_from(data, _TENSOR_HEAD.size)
        name = _NAMES[kind]
        raw = self._bytes(_count(shape) * ITEM_SIZE[name], arena, at)
        if code == _ARRAY:
            return self._array(name, shape, raw)
        value = self._tensor(name, shape, raw)
        if order:
            value = value.permute(order).data  # no view, as in _tensor
        if flags and value.dtype.is_floating_point:
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
        torch, numpy = _torch(), _numpy()
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
        if numpy is not None and name in _DIRECT:
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


def _split_order(data: memoryview, dims: int) -> tuple[memoryview, tuple[int, ...]]:
    """A permuted tensor's head: without its last ``dims`` bytes, and these."""
    order = tuple(data[len(data) - dims :])
    if sorted(order) != list(range(dims)):
        raise ProtocolError("dimensions in an order that is none")
    return data[: len(data) - dims], order


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


# MessagePack: bytes of a token by its first byte; those with a length of their
# own: (bytes of the length, bytes between it and the content).
_FIXED = {
    0xC0: 1, 0xC2: 1, 0xC3: 1, 0xCA: 5, 0xCB: 9, 0xCC: 2, 0xCD: 3, 0xCE: 5,
    0xCF: 9, 0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9, 0xD4: 3, 0xD5: 4, 0xD6: 6,
    0xD7: 10, 0xD8: 18, 0xDC: 3, 0xDD: 5,
}  # fmt: skip
_SIZED = {
    0xC4: (1, 0), 0xC5: (2, 0), 0xC6: (4, 0), 0xC7: (1, 1), 0xC8: (2, 1),
    0xC9: (4, 1), 0xD9: (1, 0), 0xDA: (2, 0), 0xDB: (4, 0),
}  # fmt: skip


def _check_maps(data: bytes | bytearray | memoryview) -> None:
    """Refuse a map of too many keys before it is built.

    Keys that collide make a dict of n keys cost n * n / 2 comparisons: 50,000
    tuples of one hash fit into a head and took minutes.
    """
    at, end = 0, len(data)
    if end <= _SMALL_HEAD:
        return
    while at < end:
        first = data[at]
        if first < 0xA0 or first >= 0xE0:  # a small int, map or list
            at += 1
        elif first < 0xC0:  # a short string
            at += 1 + (first & 0x1F)
        elif first in _FIXED:
            at += _FIXED[first]
        elif first in _SIZED:
            width, gap = _SIZED[first]
            size = int.from_bytes(data[at + 1 : at + 1 + width], "big")
            at += 1 + width + gap + size
        elif first in (0xDE, 0xDF):
            width = 2 if first == 0xDE else 4
            if int.from_bytes(data[at + 1 : at + 1 + width], "big") > MAX_KEYS:
                raise ProtocolError(f"a dict of more than {MAX_KEYS} keys")
            at += 1 + width
        else:
            raise ProtocolError("malformed message: a byte that means nothing")


def _dtype(name: str) -> Any:
    torch = _torch()
    if name not in ITEM_SIZE or torch is None:
        raise ProtocolError("an unknown dtype")
    return getattr(torch, name)


def frame(message: Request | Reply, blob: bytes | bytearray = b"") -> bytes:
    """The bytes of one message.

    Raises:
        CannotSendError: the structure of the value is too large.
    """
    head = _pack(message)
    if len(head) > MAX_HEAD:
        raise CannotSendError(f"more than {MAX_HEAD >> 20} MiB of plain values")
    return b"".join((HEADER.pack(len(head), len(blob)), head, blob))


def lengths(header: bytes) -> tuple[int, int]:
    """Length of head and blob from 8 bytes.

    Raises:
        ProtocolError: one is over its cap.
    """
    head, blob = HEADER.unpack(header)
    if not 0 < head <= MAX_HEAD or blob > MAX_BLOB:
        raise ProtocolError("a message over the size limit")
    return head, blob


def check_depth(value: Any, depth: int = 0) -> None:
    """Refuse plain data nested deeper than MAX_DEPTH, and odd dict keys.

    Raises:
        ProtocolError: it is.
    """
    if depth > MAX_DEPTH:
        raise ProtocolError("a message nested too deeply")
    kind = type(value)
    if kind is list or kind is tuple:
        for item in value:
            check_depth(item, depth + 1)
    elif kind is dict:
        for key, item in value.items():
            if type(key) not in (str, int, bool):
                raise ProtocolError("a dict key that is no string or number")
            check_depth(item, depth + 1)
