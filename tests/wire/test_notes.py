"""Notes of progress: any 24 bytes are one, and no number of them stalls a session."""

import random
import struct

import pytest

from grader import wire
from grader.session.workers.arena import Arenas
from grader.session.workers.budget import Budget
from grader.session.workers.exchange import Exchange
from grader.session.workers.faults import BrokeProtocolError, WorkerCrashedError

REPLY = wire.frame(wire.Reply(1, "done"))
NOTE = wire.note_frame(wire.Note(3, 9, 0.5))
HEADER = NOTE[: wire.HEADER.size]


class Fed(Exchange):
    """A worker's end in the session that has already received everything."""

    def __init__(self, data: bytes) -> None:
        super().__init__(Arenas(lambda number, size: None), 0)
        self._left = data
        self.notes: list[wire.Note] = []
        self.on_note = self.notes.append

    def _read(self, count: int, budget: Budget) -> bytes:
        taken, self._left = self._left[:count], self._left[count:]
        if len(taken) < count:
            raise WorkerCrashedError("hung up")
        return taken

    def _send(self, data: bytes, budget: Budget) -> None: ...

    def wait_ready(self) -> None: ...

    def cpu_s(self) -> float:
        return 0.0

    queued_s = cpu_s

    def take_output(self) -> str:
        return ""

    def kill(self) -> None:
        self.alive = False

    def ask(self) -> wire.Reply:
        return self.request("call", [], None, Budget(1.0, 1.0))


def test_notes_are_told_in_order_and_the_reply_comes_after_them():
    worker = Fed(NOTE + wire.note_frame(wire.Note(-4, 0, float("inf"))) + REPLY)
    assert worker.ask().value == "done"
    assert worker.notes == [wire.Note(3, 9, 0.5), wire.Note(-4, 0, float("inf"))]


def test_any_bytes_of_a_note_are_a_note():
    rng = random.Random(1)
    for _ in range(2000):
        worker = Fed(HEADER + rng.randbytes(24) + REPLY)
        assert worker.ask().value == "done"
        (note,) = worker.notes
        assert (type(note.step), type(note.value)) == (int, float)


def test_as_many_notes_as_are_allowed_and_no_more():
    assert Fed(NOTE * wire.MAX_NOTES + REPLY).ask().value == "done"
    worker = Fed(NOTE * (wire.MAX_NOTES + 1) + REPLY)
    with pytest.raises(BrokeProtocolError, match="more than 10000 notes of progress"):
        worker.ask()
    assert not worker.alive
    assert len(worker.notes) <= wire.MAX_NOTES + 1


@pytest.mark.parametrize("size", [1, 7, 8, 9, 20, 31])
def test_note_that_is_cut_off_ends_as_any_cut_stream(size):
    with pytest.raises(WorkerCrashedError, match="hung up"):
        Fed(NOTE[:size]).ask()


@pytest.mark.parametrize("header", [(0xFFFFFFFF, 1), (0xFFFFFFFE, 0)])
def test_header_that_is_nearly_a_notes_is_over_the_size_limit(header):
    worker = Fed(struct.pack(">II", *header) + bytes(24) + REPLY)
    with pytest.raises(BrokeProtocolError, match="over the size limit"):
        worker.ask()


def test_note_without_a_listener_is_dropped():
    worker = Fed(NOTE + REPLY)
    worker.on_note = None
    assert worker.ask().value == "done"


def test_step_of_more_than_64_bits_is_refused_where_it_is_sent():
    with pytest.raises(wire.CannotSendError, match="a step of this kind"):
        wire.note_frame(wire.Note(1 << 70, 1, 0.0))
