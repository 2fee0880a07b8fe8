"""The wire under fire: what a worker sends is plain data or breaks the protocol."""

from __future__ import annotations

import random
import socket
import struct
import time
import types

import msgspec
import numpy
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader import wire
from grader.session.workers.faults import (
    BrokeProtocolError,
    WorkerCrashedError,
    WorkerTimeoutError,
)
from grader.session.workers.worker import Budget, Worker
from grader.wire.caps import MAX_TENSORS

SLOW = [HealthCheck.too_slow]  # the machine may be busy
FRAMES = 100_000
CHUNKS = 10
SLOWEST_S = 2.0  # of CPU time for one frame: it costs milliseconds
PLAIN = (type(None), bool, int, float, str, bytes, complex, list, tuple, dict)
DATA = (*PLAIN, torch.Tensor, torch.dtype, numpy.ndarray)
ENDINGS = (BrokeProtocolError, WorkerCrashedError)


def honest_frames() -> list[bytes]:
    """Replies of every form that a worker really sends."""
    values = [
        None, True, -5, 2.5, "text é", [1, [2, (3,)]], {"a": [1.5], 3: None}, 1j, b"x",
        torch.arange(6.0).reshape(2, 3), torch.tensor(3), torch.zeros(0, 4),
        (torch.ones(2, dtype=torch.float16), {"h": torch.tensor([True, False])}),
        numpy.arange(4), torch.float32, list(range(300)),
    ]  # fmt: skip
    frames = []
    for value in values:
        encoder = wire.Encoder()
        reply = wire.Reply(1, encoder.encode(value), graph=1, tracked=[0])
        frames.append(wire.frame(reply, encoder.blob))
    failure = wire.Failure(["ValueError", "Exception"], "no", [("a.py", 3, "f")])
    frames.append(wire.frame(wire.Reply(1, failure=failure)))
    handle = wire.Reply(1, msgspec.msgpack.Ext(4, msgspec.msgpack.encode(7)))
    return [*frames, wire.frame(handle)]


HONEST = honest_frames()


def mutated(rng: random.Random) -> bytes:
    """One frame, hurt in one to four ways."""
    data = bytearray(rng.choice(HONEST))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data)) if data else 0
        way = rng.randrange(8)
        if way == 0 and data:
            data[at] = rng.randrange(256)
        elif way == 1 and data:
            data[at] ^= 1 << rng.randrange(8)
        elif way == 2:
            del data[at:]
        elif way == 3:
            data[at:at] = rng.randbytes(rng.randint(1, 9))
        elif way == 4:
            del data[at : at + rng.randint(1, 9)]
        elif way == 5:
            other = rng.choice(HONEST)
            data[at:] = other[rng.randrange(len(other)) :]
        elif way == 6 and len(data) > 8:  # lengths that fit again
            cut = rng.randint(1, len(data) - 8)
            data[:8] = struct.pack(">II", cut, len(data) - 8 - cut)
        else:
            data += data[at : at + 40]
    return bytes(data)


def generated(rng: random.Random) -> bytes:
    """Bytes of MessagePack in no order, with lengths that fit."""
    tokens = [
        b"\x91", b"\x95", b"\x81", b"\xc0", b"\xc3", b"\x01", b"\xa1a",
        b"\xdc\xff\xff", b"\xdd\x00\x10\x00\x00", b"\xde\xff\xff",
        b"\xdf\x7f\xff\xff\xff",
        b"\xc7\x02\x01",
        b"\xc7\x09\x02", b"\xd4\x04\x07", b"\xd4\x05\x00", b"\xc8\xff\xff\x02",
        b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff", b"\xcb\x7f\xf8\0\0\0\0\0\0", b"\xc1",
    ]  # fmt: skip
    head = b"\x95\x01" + b"".join(rng.choices(tokens, k=rng.randint(1, 60)))
    blob = rng.randbytes(rng.randrange(40))
    return struct.pack(">II", len(head), len(blob)) + head + blob


def decoded(data: bytes, handle: object = None) -> wire.Reply:
    """What a session makes of one frame's bytes.

    Raises:
        wire.ProtocolError: it is none.
    """
    if len(data) < 8:
        raise wire.ProtocolError("cut off")
    head, blob = wire.lengths(data[:8])
    body = memoryview(data)[8 : 8 + head + blob]
    if len(body) < head + blob:
        raise wire.ProtocolError("cut off")
    reply = wire.Decoder(wire.Reply).decode(body[:head], body[head:], handle)
    wire.check_depth(reply.value)
    return reply


def is_plain(value: object) -> bool:
    if type(value) in (list, tuple):
        return all(map(is_plain, value))
    if type(value) is dict:
        return all(
            type(k) in (str, int, bool) and is_plain(v) for k, v in value.items()
        )
    return type(value) in DATA


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_mutated_and_generated_frames_are_data_or_broken(chunk):
    rng = random.Random(chunk)
    outcomes = {"data": 0, "broken": 0}
    for number in range(FRAMES // CHUNKS):
        data = generated(rng) if number % 5 == 0 else mutated(rng)
        start = time.process_time()
        try:
            reply = decoded(data)
        except wire.ProtocolError:
            outcomes["broken"] += 1
        else:
            assert is_plain(reply.value), data
            assert type(reply.number) is int
            outcomes["data"] += 1
        assert time.process_time() - start < SLOWEST_S, data
    assert min(outcomes.values()) > 100, outcomes


EXTENSION = st.builds(
    msgspec.msgpack.Ext,
    st.integers(-128, 127) | st.integers(1, 7),
    st.binary(max_size=40)
    | st.builds(
        lambda *f: msgspec.msgpack.encode(list(f)),
        st.sampled_from([*wire.ITEM_SIZE, "object", ""]),
        st.lists(st.integers(-2, 1 << 40) | st.integers(0, 3), max_size=20),
        st.booleans(),
        st.integers(-2, 3),
        st.integers(-9, 99),
    ),
)
LEAVES = (
    st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 64) - 1) | st.floats()
    | st.text(max_size=9) | EXTENSION
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.text(max_size=3) | st.integers(0, 9), inner, max_size=4)
    ),
    max_leaves=20,
)


@settings(
    derandomize=True,
    max_examples=300,
    deadline=None,
    database=None,
    suppress_health_check=SLOW,
)
@given(VALUES, st.binary(max_size=64))
def test_values_of_every_form_are_data_or_broken(value, blob):
    head = msgspec.msgpack.encode([1, value])
    data = struct.pack(">II", len(head), len(blob)) + head + blob
    try:
        reply = decoded(data, handle=lambda number: f"object {number}")
    except wire.ProtocolError:
        return
    assert is_plain(reply.value)


@settings(
    derandomize=True,
    max_examples=400,
    deadline=None,
    database=None,
    suppress_health_check=SLOW,
)
@given(st.binary(max_size=200))
def test_bytes_of_every_kind_are_data_or_broken(body):
    data = struct.pack(">II", max(len(body) // 2, 1), len(body) - len(body) // 2) + body
    try:
        value = decoded(data).value
    except wire.ProtocolError:
        return
    assert is_plain(value)


HOSTILE_HEADS = {
    "a list nested without end": b"\x92\x01" + b"\x91" * 100_000 + b"\xc0",
    "maps nested without end": b"\x92\x01" + b"\x81\xa1a" * 50_000 + b"\xc0",
    "a list that promises 4 G entries": b"\x92\x01\xdd\xff\xff\xff\xff",
    "a map that promises 4 G entries": b"\x92\x01\xdf\xff\xff\xff\xff",
    "a text that promises 4 GB": b"\x92\x01\xdb\xff\xff\xff\xff",
    "text that is no UTF-8": b"\x92\x01\xa3\xed\xa0\x80",
    "a number beyond 64 bits": b"\x92\xcf" + b"\xff" * 8 + b"\xc0",
    "a list as a key": b"\x92\x01\x81\x91\x01\xc0",
    "a list too long for a reply": b"\x99" + b"\x01" * 9,
}


@pytest.mark.parametrize("name", HOSTILE_HEADS)
def test_hostile_head_is_refused_at_once(name):
    head = HOSTILE_HEADS[name]
    start = time.process_time()
    try:
        reply = decoded(struct.pack(">II", len(head), 0) + head)
    except wire.ProtocolError:
        pass
    else:
        assert is_plain(reply.value)
        assert name == "a number beyond 64 bits"
    assert time.process_time() - start < SLOWEST_S


def tensor_head(shapes: list[list[int]], dtype: int = 1, at: int = 0) -> bytes:
    values = [
        msgspec.msgpack.Ext(
            2,
            struct.pack("<BBBiq", dtype, 0, len(sizes), -1, at)
            + struct.pack(f"<{len(sizes)}q", *sizes),
        )
        for sizes in shapes
    ]
    return msgspec.msgpack.encode([1, values])


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        ([[4], [4]], "share their bytes"),
        ([[5]], "bytes are missing"),
        ([[-1]], "impossible size"),
        ([[0, 1 << 25, 1 << 25]], "impossible sizes"),
        ([[1 << 13, 1 << 13]], "too large"),
        ([[1] * 17], "too many dimensions"),
    ],
)
def test_tensors_of_impossible_sizes_are_refused_in_words(shapes, words):
    head = tensor_head(shapes)
    data = struct.pack(">II", len(head), 16) + head + bytes(16)
    with pytest.raises(wire.ProtocolError, match=words):
        decoded(data)


def test_dict_of_too_many_keys_is_refused_before_it_is_built():
    head = msgspec.msgpack.encode([1, {n: None for n in range(2000)}])
    with pytest.raises(wire.ProtocolError, match="more than 1024 keys"):
        decoded(struct.pack(">II", len(head), 0) + head)
    with pytest.raises(wire.CannotSendError, match="more than 1024 keys"):
        wire.Encoder().encode({n: None for n in range(2000)})


def test_numpy_keys_of_a_dict_are_those_of_python():
    kinds = numpy.int64(3), numpy.int32(4), numpy.str_("a"), numpy.bool_(True)
    keys = [*wire.Encoder().encode(dict.fromkeys(kinds))]
    assert keys == [3, 4, "a", True]
    assert [type(key) for key in keys] == [int, int, str, bool]
    with pytest.raises(wire.CannotSendError, match="a dict key of float"):
        wire.Encoder().encode({numpy.float64(0.5): 1})


def test_long_double_is_a_float():
    assert wire.Encoder().encode([numpy.longdouble(0.5)]) == [0.5]


# ---- reading from a socket


class Cut(Worker):
    """A worker's end in the session without a process: a socket pair stands for it."""

    def __init__(self, channel: socket.socket) -> None:
        import select

        self._channel = channel
        channel.setblocking(False)
        self._buffer = bytearray()
        self._decoder = wire.Decoder(wire.Reply)
        self._poll = select.poll()
        self._poll.register(channel, select.POLLIN)
        self._spawned = types.SimpleNamespace(output=-1, pidfd=-1)
        self.alive = True
        self.most = 0

    def cpu_s(self) -> float:
        return 0.0

    def queued_s(self) -> float:
        return 0.0

    def kill(self) -> None:
        self.alive = False

    def _crashed(self) -> WorkerCrashedError:
        return WorkerCrashedError("hung up")

    def _read(self, count: int, budget: Budget) -> bytes:
        try:
            return super()._read(count, budget)
        finally:
            self.most = max(self.most, len(self._buffer))


def read_replies(data: bytes, pieces: list[int], wall_s: float = 0.05) -> list[object]:
    """What the session's reader makes of bytes that come in pieces."""
    ours, theirs = socket.socketpair()
    found: list[object] = []
    with ours, theirs:
        worker = Cut(ours)
        at = 0
        for size in [*pieces, len(data)]:
            theirs.sendall(data[at : at + size])
            at += size
        theirs.shutdown(socket.SHUT_WR)
        while worker.alive:
            try:
                reply = worker._receive(Budget(9.0, wall_s))
            except (*ENDINGS, WorkerTimeoutError) as e:
                found.append(e)
                break
            assert is_plain(reply.value)
            found.append(reply)
        assert worker.most <= len(data)
    return found


def test_reordered_duplicated_dripped_and_cut_streams_end_in_words():
    rng = random.Random(5)
    for _ in range(400):
        frames = rng.choices(HONEST, k=rng.randint(1, 4))
        data = b"".join(frames)
        way = rng.randrange(4)
        if way == 0:
            data = data[: rng.randrange(len(data))]
        elif way == 1:
            data = data + data
        elif way == 2:
            at = rng.randrange(len(data))
            data = data[at:] + data[:at]
        pieces = [1] * 40 if rng.random() < 0.5 else [rng.randint(1, 99)]
        last = read_replies(data, pieces)[-1]
        assert isinstance(last, (*ENDINGS, WorkerTimeoutError))
        assert str(last)


def test_reader_keeps_no_more_than_it_was_announced():
    """A worker once wrote 196 MB before anybody looked at the length."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setblocking(False)
        worker = Cut(ours)
        theirs.send(struct.pack(">II", wire.MAX_HEAD + 1, 0))
        sent = 0
        try:
            while True:
                sent += theirs.send(bytes(1 << 16))
        except BlockingIOError:
            pass
        with pytest.raises(BrokeProtocolError, match="over the size limit"):
            worker._receive(Budget(9.0, 1.0), {})
        assert sent > 1 << 16
        assert worker.most <= 1 << 17


def test_silence_ends_at_the_wall_limit():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        worker = Cut(ours)
        theirs.send(HONEST[0][:-1])
        with pytest.raises(WorkerTimeoutError, match="waiting"):
            worker._receive(Budget(9.0, 0.1), {})


def answer_of(value: bytes) -> None:
    """Read a reply whose value is these bytes, as the session does."""
    reply = wire.Decoder(wire.Reply).decode(b"\x92\x01" + value, b"")
    wire.check_depth(reply.value)


TUPLE_OF_LISTS = b"\xc8\x04\x03\x01\xdc\x04\x00" + b"\x90" * 1024
MANY = {
    "empty lists": b"\xdd\x00\x0f\x42\x40" + b"\x90" * 1_000_000,
    "letters": b"\xdd\x00\x07\xa1\x20" + b"\xa1a" * 500_000,
    "tuples of lists": b"\xdc\x01\x00" + TUPLE_OF_LISTS * 256,
}


@pytest.mark.parametrize("value", MANY.values(), ids=MANY)
def test_answer_of_a_million_small_things_is_refused_before_it_costs_time(value):
    assert len(value) < wire.MAX_HEAD
    start = time.process_time()
    with pytest.raises(wire.ProtocolError, match="more than 131072 values"):
        answer_of(value)
    assert time.process_time() - start < SLOWEST_S


def test_answer_of_as_many_floats_as_fit_is_read():
    answer_of(msgspec.msgpack.encode([0.5] * 116_000))


def test_answer_of_tensors_without_end_is_refused_before_it_costs_time():
    """Each is small, and empty ones have no bytes that would be counted."""
    encoder = wire.Encoder()
    value = encoder.encode([torch.zeros(0)] * MAX_TENSORS)
    answer_of(msgspec.msgpack.encode(value))
    with pytest.raises(wire.ProtocolError, match="more than 8192 tensors"):
        answer_of(msgspec.msgpack.encode([*value, value[0]]))
