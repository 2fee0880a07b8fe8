"""What every kind of worker shares: numbered requests, replies held to the schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Protocol

from grader import wire
from grader.session.workers.arena import Arenas
from grader.session.workers.budget import Budget, Output
from grader.session.workers.faults import BrokeProtocolError

# Of what is left: after it a worker says where it is, and is ended soon after.
PATIENT = 0.8


class Exchange(ABC):
    """One live worker. Every method may raise a WorkerFault, which kills it."""

    def __init__(self, arenas: Arenas, seed: int) -> None:
        self.seed: int | None = seed  # goes with the next request, once
        self.arenas = arenas
        self.output = Output()
        self.alive = True
        self.places: list[tuple[int, int]] = []
        self.on_note: Callable[[wire.Note], None] | None = None
        self._buffer = bytearray()
        self._decoder = wire.Decoder(wire.Reply)
        self._number = 0
        self._release: list[int] = []

    @abstractmethod
    def wait_ready(self) -> None:
        """Wait until it can take a request: nothing is sent before.

        Raises:
            WorkerCrashedError: it ended instead; its output says why.
        """

    @abstractmethod
    def cpu_s(self) -> float:
        """CPU seconds used so far, or what stands for them."""

    @abstractmethod
    def queued_s(self) -> float:
        """Seconds that it was ready to run and did not get to."""

    @abstractmethod
    def take_output(self) -> str:
        """What was printed since the last call."""

    @abstractmethod
    def kill(self) -> Any:
        """End it now and for ever; returns how it ended, where that is known."""

    def done(self) -> None:
        """The exercise is through with it."""
        self.kill()

    @abstractmethod
    def _send(self, data: bytes, budget: Budget) -> None: ...

    @abstractmethod
    def _read(self, count: int, budget: Budget) -> bytes: ...

    def _patience(self, budget: Budget) -> list[float]:
        """After so many CPU and wall seconds it says where it is."""
        return [PATIENT * left for left in budget.left(self.cpu_s())]

    def release(self, number: int) -> None:
        """A graph or object that nobody needs; told with the next request."""
        self._release.append(number)

    def request(
        self,
        op: str,
        target: list[Any],
        value: Any,
        budget: Budget,
        *,
        grad: bool = True,
        on_sent: Callable[[Any], None] | None = None,
        on_tensor: Callable[[Any], None] | None = None,
        handle: Callable[[int], Any] | None = None,
    ) -> wire.Reply:
        """Send one request and wait for its reply.

        Args:
            op: one of server.OPERATIONS.
            target: what is called.
            value: goes with it.
            budget: what it may use.
            grad: the grad mode there.
            on_sent: told of each tensor or array that is sent, in order.
            on_tensor: told of each tensor of the answer, in order.
            handle: what stands here for an object of the worker's, by its number.

        Raises:
            WorkerTimeoutError, WorkerCrashedError, BrokeProtocolError.
        """
        self._number += 1
        places: list[tuple[int, int]] = []

        def place(raw: memoryview) -> tuple[int, int]:
            places.append(self.arenas.place(raw))
            return places[-1]

        encoder = wire.Encoder(place, on_tensor=on_sent, on_array=on_sent)
        message = wire.Request(
            number=self._number,
            op=op,
            target=target,
            value=encoder.encode(value),
            grad=grad,
            release=self._release,
            seed=self.seed,
            patience=self._patience(budget),
        )
        self.seed = None
        self._release = []
        self.places = places
        self._send(wire.frame(message), budget)
        reply = self._receive(budget, handle, on_tensor)
        if reply.number != self._number:
            raise self._broken("a reply to another request")
        return reply

    def _receive(
        self, budget: Budget, handle: Any = None, on_tensor: Any = None
    ) -> wire.Reply:
        try:
            header = self._after_notes(budget)
            head, blob = wire.lengths(header)
            data = self._read(head + blob, budget)
            view = memoryview(data)
            reply: wire.Reply = self._decoder.decode(
                view[:head], view[head:], handle, on_tensor
            )
            wire.check_depth(reply.value)
        except wire.ProtocolError as e:
            raise self._broken(str(e)) from None
        return reply

    def _after_notes(self, budget: Budget) -> bytes:
        """The header of the reply; notes that come before it are told."""
        for _ in range(wire.MAX_NOTES + 1):
            header = self._read(wire.HEADER.size, budget)
            if not wire.is_note(header):
                return header
            # Number by number: after a longer stretch nothing may follow.
            parts = [self._read(wire.HEADER.size, budget) for _ in range(3)]
            note = wire.read_note(b"".join(parts))
            if self.on_note is not None:
                self.on_note(note)
        raise self._broken(f"more than {wire.MAX_NOTES} notes of progress")

    def _broken(self, why: str) -> BrokeProtocolError:
        self.kill()
        return BrokeProtocolError(why)


class Workers(Protocol):
    """Where a session gets its workers from."""

    def wait_ready(self) -> None:
        """Wait until it is warm.

        Raises:
            EnvironmentFault: it ended or did not come up in time.
        """

    def worker(self, *, seed: int, cpu_s: int, memory_mib: int) -> Exchange:
        """A worker without a submission, not yet known to be ready.

        Raises:
            EnvironmentFault: no worker could be had.
        """

    def close(self) -> None:
        """End it, and every worker with it."""
