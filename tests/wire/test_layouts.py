"""What becomes of a tensor's strides: a permuted one keeps them, others do not."""

import itertools
import struct
import time

import msgspec
import numpy
import pytest
import torch

from grader import wire
from grader.session.arena import Arenas
from grader.session.budget import Budget
from grader.session.exchange import Exchange
from grader.session.inside import HeapArena

DTYPES = [getattr(torch, name) for name in wire.ITEM_SIZE]
SHAPES = [(3,), (2, 3), (2, 3, 4), (1, 3, 2), (2, 1, 1, 3), (2, 3, 2, 2)]
PERMUTED = 2  # the flag in a tensor's head
WITHOUT = "unknown dtype or too many dimensions"
DISORDER = "in an order that is none"


def drawn(shape, dtype):
    numbers = torch.arange(1, 1 + torch.Size(shape).numel()).reshape(shape)
    return numbers % 3 == 0 if dtype is torch.bool else numbers.to(dtype)


def arrived(value, memory=None):
    """``value`` as a worker has it; with ``memory``, in that arena."""
    arenas = Arenas(HeapArena)
    encoder = wire.Encoder(None if memory is None else arenas.place, permuted=True)
    request = wire.Request(1, "call", [], encoder.encode(value))
    data = wire.frame(request, encoder.blob)
    head, _ = wire.lengths(data[:8])
    body = bytearray(data[8:])
    if memory is not None:
        memory.append(arenas)
    decoder = wire.Decoder(
        wire.Request, find=lambda n: memoryview(arenas.arenas[n].memory), copy=False
    )
    return decoder.decode(body[:head], body[head:]).value


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_permuted_tensor_of_every_dtype_arrives_with_its_strides(dtype):
    for shape in SHAPES:
        for order in itertools.permutations(range(len(shape))):
            value = drawn(shape, dtype).permute(order)
            there = arrived(value, [])
            assert (there.dtype, there.shape) == (dtype, value.shape)
            assert torch.equal(there, value)
            assert there.is_contiguous() == value.is_contiguous()
            if 1 not in shape:
                assert there.stride() == value.stride()


def test_lazy_conjugate_and_negative_travel_as_numbers_with_their_strides():
    value = torch.complex(torch.randn(2, 3), torch.randn(2, 3)).T.conj()
    for lazy in (value, value.imag, torch.randn(4, 3, dtype=torch.complex64)[::2].mH):
        there = arrived(lazy)
        assert (there.is_conj(), there.is_neg()) == (False, False)
        assert torch.equal(there, lazy.resolve_conj().resolve_neg())
    assert arrived(value).stride() == (1, 3)


@pytest.mark.parametrize(
    "value",
    [torch.tensor(3.0), torch.zeros(0, 3).T, torch.zeros(2, 0, 4).permute(2, 0, 1)],
    ids=["no dimensions", "no rows", "nothing within"],
)
def test_tensors_without_an_order_arrive_as_they_are(value):
    there = arrived(value)
    assert (there.shape, there.dtype) == (value.shape, value.dtype)
    assert torch.equal(there, value)


LOOSE = torch.arange(24.0).reshape(4, 6)
UNEVEN = {
    "every other column": LOOSE[:, ::2],
    "every other column, turned": LOOSE[:, ::2].T,
    "a few columns": LOOSE[:, 1:4],
    "a few rows of a turned one": LOOSE.T[1:3],
    "rows that are one": LOOSE[:1].expand(3, 6),
    "columns that are one": LOOSE[:, :1].expand(4, 3),
    "windows that overlap": LOOSE.unfold(1, 3, 1),
}


@pytest.mark.parametrize("name", UNEVEN)
def test_memory_with_gaps_or_overlaps_arrives_contiguous(name):
    value = UNEVEN[name]
    assert not value.is_contiguous()
    there = arrived(value)
    assert torch.equal(there, value)
    assert there.is_contiguous()


def test_turned_part_without_gaps_keeps_its_strides():
    assert arrived(LOOSE[1:3].T).stride() == (1, 6)


def test_permuted_leaf_is_a_leaf_with_these_strides_and_no_view():
    value = torch.randn(2, 3, 4, requires_grad=True).transpose(0, 2)
    there = arrived(value, [])
    assert there.is_leaf
    assert there.requires_grad
    assert there.stride() == value.stride()
    assert there._base is None
    there.pow(2).sum().backward()
    assert torch.equal(there.grad, 2 * value)
    there.detach_()


def test_view_of_a_transposed_tensor_fails_there_as_here():
    value = torch.randn(2, 3, 4).transpose(0, 1)
    for tensor in (value, arrived(value)):
        with pytest.raises(RuntimeError, match="view size is not compatible"):
            tensor.view(6, 4)
        assert tensor.reshape(6, 4).shape == (6, 4)


def test_permuted_tensor_lies_in_the_arena_in_the_order_of_its_memory():
    memory = []
    there = arrived(LOOSE.T, memory)
    block, order = wire.in_memory_order(LOOSE.T)
    assert (order, torch.equal(block, LOOSE)) == ((1, 0), True)
    size = block.numel() * block.element_size()
    assert memory[0].read(0, 0, size) == block.numpy().tobytes()
    there.add_(1)
    assert memory[0].read(0, 0, size) == (LOOSE + 1).numpy().tobytes()


def test_contiguous_tensor_costs_no_byte_more_and_numpy_arrays_stay_as_they_were():
    plain, turned = (wire.Encoder(permuted=p).encode(LOOSE) for p in (False, True))
    assert plain == turned
    array = LOOSE.numpy().T
    assert wire.Encoder(permuted=True).encode(array) == wire.Encoder().encode(array)
    assert arrived(array).flags["C_CONTIGUOUS"]
    assert numpy.array_equal(arrived(array), array)


def test_answer_of_a_worker_travels_contiguous():
    encoder = wire.Encoder()
    answer = encoder.encode(LOOSE.T)
    assert answer == wire.Encoder().encode(LOOSE.T.contiguous())
    frame = wire.frame(wire.Reply(1, answer), encoder.blob)
    head, _ = wire.lengths(frame[:8])
    there = wire.Decoder(wire.Reply).decode(frame[8 : 8 + head], frame[8 + head :])
    assert there.value.is_contiguous()
    assert torch.equal(there.value, LOOSE.T)


# ---- claims


def head_of(order, *, sizes=(2, 3), flags=PERMUTED, code=2, kind=wire.Request):
    tensor = struct.pack("<BBBiq", 1, flags, len(sizes), -1, 0)
    tensor += struct.pack(f"<{len(sizes)}Q", *sizes) + bytes(order)
    start = [1, "call", []] if kind is wire.Request else [1]
    return msgspec.msgpack.encode([*start, msgspec.msgpack.Ext(code, tensor)])


@pytest.mark.parametrize("flags", [PERMUTED, PERMUTED | 1])
def test_session_refuses_an_answer_that_claims_an_order(flags):
    head = head_of((1, 0), flags=flags, kind=wire.Reply)
    with pytest.raises(wire.ProtocolError, match=WITHOUT):
        wire.Decoder(wire.Reply).decode(head, bytes(24))


@pytest.mark.parametrize(
    ("order", "options", "words"),
    [
        ((0, 0), {}, DISORDER),
        ((1, 2), {}, DISORDER),
        ((255, 0), {}, DISORDER),
        ((0,), {}, DISORDER),
        ((), {}, DISORDER),
        ((), {"sizes": ()}, None),
        ((1, 0), {}, None),
        ((2, 1, 0), {}, "sizes are missing"),
        ((0, 1, 0), {}, "sizes are missing"),
        ((1, 0), {"flags": 4 | PERMUTED}, WITHOUT),
        ((1, 0), {"flags": 4}, WITHOUT),
        ((1, 0), {"code": 3}, WITHOUT),
        (range(17), {"sizes": [1] * 17}, WITHOUT),
    ],
)
def test_order_that_is_no_permutation_of_the_dimensions_is_refused(
    order, options, words
):
    head = head_of(order, **options)
    decoder = wire.Decoder(wire.Request)
    if words is None:
        assert decoder.decode(head, bytes(24)).value.shape == ((3, 2) if order else ())
        return
    with pytest.raises(wire.ProtocolError, match=words):
        decoder.decode(head, bytes(24))


def test_head_that_is_cut_anywhere_is_refused():
    whole = struct.pack("<BBBiq2Q", 1, PERMUTED, 2, -1, 0, 2, 3) + bytes((1, 0))
    for size in range(len(whole)):
        value = msgspec.msgpack.Ext(2, whole[:size])
        head = msgspec.msgpack.encode([1, "call", [], value])
        with pytest.raises(wire.ProtocolError, match=r"head|missing|none"):
            wire.Decoder(wire.Request).decode(head, bytes(24))


class Deaf(Exchange):
    """A worker's end in the session that keeps what it is to send."""

    def __init__(self):
        super().__init__(Arenas(HeapArena), 0)

    def _send(self, data, budget):
        self.sent = data
        raise TimeoutError

    def wait_ready(self): ...

    def cpu_s(self):
        return 0.0

    queued_s = cpu_s

    def take_output(self):
        return ""

    def kill(self): ...

    def _read(self, count, budget): ...


def test_session_sends_strides_with_every_request():
    worker = Deaf()
    with pytest.raises(TimeoutError):
        worker.request("call", [], [LOOSE.T, LOOSE], Budget(1.0, time.monotonic()))
    head, _ = wire.lengths(worker.sent[:8])
    decoder = wire.Decoder(
        wire.Request,
        find=lambda n: memoryview(worker.arenas.arenas[n].memory),
        copy=False,
    )
    turned, plain = decoder.decode(worker.sent[8 : 8 + head], b"").value
    assert (turned.stride(), plain.stride()) == ((1, 6), (6, 1))
