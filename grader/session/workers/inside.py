"""Workers within this process, for code of our own: nothing is started or sent far.

A named mistake that is compared with a hand-in is our own file. It is asked by
the same messages and served by the same server as a hand-in, so that it answers
as it would in a worker, without a process, a channel and a limit of the kernel's.
Student code never comes this way.
"""

from __future__ import annotations

import contextlib
import io
import mmap
import random
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from grader import wire
from grader.session.workers.arena import Arena, Arenas
from grader.session.workers.budget import Budget
from grader.session.workers.exchange import Exchange
from grader.session.workers.faults import WorkerTimeoutError
from grader.worker import loader
from grader.worker.patience import TIMERS, TookTooLongError
from grader.worker.seeding import as_new
from grader.worker.server import Server


class InsideWorkers:
    """A source of workers that are objects of this process."""

    def wait_ready(self) -> None:
        """Nothing to wait for."""

    def worker(self, *, seed: int, cpu_s: int, memory_mib: int) -> InsideWorker:
        """A worker; limits of the kernel are not set."""
        return InsideWorker(seed)

    def close(self) -> None:
        """Nothing to end."""


class InsideWorker(Exchange):
    """A server beside us that believes it is alone.

    What it sets for the whole process (generators, grad mode, command line) is
    its own while it answers, and the session's again afterwards.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(Arenas(HeapArena), seed)
        self._channel = _Direct(self.arenas)
        self._server = Server(self._channel)
        self._process = _Process()
        self._alarm = _Alarm()
        self._used_s = 0.0

    def wait_ready(self) -> None:
        """It is."""

    def cpu_s(self) -> float:
        """CPU seconds of this process while it answered."""
        return self._used_s

    def queued_s(self) -> float:
        """Not told apart."""
        return 0.0

    def take_output(self) -> str:
        """What our own code prints is not kept."""
        return ""

    def kill(self) -> None:
        """Forget it."""
        if self.alive:
            self.alive = False
            self._alarm.end()
            self._process.end()
            loader.forget(self._server.loaded)
            sys.meta_path[:] = [
                f for f in sys.meta_path if not isinstance(f, loader.HandedIn)
            ]
            self.arenas.close()

    def _patience(self, budget: Budget) -> list[float]:
        return []  # it is stopped here, not told to say where it is

    def _send(self, data: bytes, budget: Budget) -> None:
        self.arenas.unsent.clear()
        head, _ = wire.lengths(data[: wire.HEADER.size])
        end = wire.HEADER.size + head
        message = bytearray(data[wire.HEADER.size : end]), bytearray(data[end:])
        cpu, wall = time.process_time(), time.monotonic()
        left = budget.left(self._used_s)
        # Rung while the server runs, the alarm is an answer like any exception.
        with contextlib.suppress(TookTooLongError):
            with self._process.its_own(), self._alarm.after(left):
                self._server.answer(*message)
        self._used_s += time.process_time() - cpu
        budget.waited_s += time.monotonic() - wall
        if self._alarm.rang is not None:
            self.kill()
            wall_rang = self._alarm.rang == signal.SIGALRM
            limit = budget.wall_s if wall_rang else budget.allowed_s
            raise WorkerTimeoutError(limit, wall=wall_rang, sure=True)
        self._buffer += self._channel.take()

    def _read(self, count: int, budget: Budget) -> bytes:
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken


class HeapArena(Arena):
    """Memory of this process alone."""

    def __init__(self, number: int, size: int) -> None:
        self.memory = mmap.mmap(-1, size)
        self.size, self.used, self.fd = size, 0, -1

    def close(self) -> None:
        """Graphs of the server may still hold it: it goes with the last of them."""


class _Direct:
    """The server's channel: it is handed its requests, and its answer is kept."""

    def __init__(self, arenas: Arenas) -> None:
        self._arenas = arenas
        self._sent = bytearray()

    def header(self) -> None:
        return None

    def exactly(self, count: int) -> bytearray:
        raise EOFError("nothing is read here")

    def send(self, data: bytes) -> None:
        self._sent += data

    tell = send

    def take(self) -> bytes:
        taken, self._sent = bytes(self._sent), bytearray()
        return taken

    def arena(self, number: int) -> memoryview:
        return memoryview(self._arenas.arenas[number].memory)


class _Process:
    """What a process has once, as the server left it after its last answer.

    Generators of ``random`` and numpy are the server's as long as it lives: no
    suite draws from them.
    """

    def __init__(self) -> None:
        self._torch = sys.modules.get("torch")
        self._at_first = random.getstate(), np.random.get_state()
        self._words = sys.argv[:], sys.orig_argv[:]
        self._kept = self._state()

    def end(self) -> None:
        """What was set for the whole process, as it was before."""
        as_new()
        random.setstate(self._at_first[0])
        np.random.set_state(self._at_first[1])
        sys.argv[:], sys.orig_argv[:] = self._words

    @contextlib.contextmanager
    def its_own(self) -> Iterator[None]:
        """The server's within the block, ours again after it."""
        ours = self._state()
        self._set(self._kept)
        silent = io.StringIO()
        try:
            with (
                warnings.catch_warnings(),
                contextlib.redirect_stdout(silent),
                contextlib.redirect_stderr(silent),
            ):
                warnings.simplefilter("ignore")
                yield
        finally:
            self._kept = self._state()
            self._set(ours)

    def _state(self) -> tuple[Any, ...]:
        torch = self._torch
        if torch is None:
            return ()
        generator = torch.default_generator.get_state()
        return generator, torch.is_grad_enabled(), torch.get_default_dtype()

    def _set(self, state: tuple[Any, ...]) -> None:
        torch = self._torch
        if torch is not None:
            generator, grad, dtype = state
            torch.default_generator.set_state(generator)
            torch.set_grad_enabled(grad)
            if dtype is not torch.get_default_dtype():
                torch.set_default_dtype(dtype)


class _Alarm:
    """Stops what runs too long; only the main thread can be interrupted."""

    def __init__(self) -> None:
        main = threading.current_thread() is threading.main_thread()
        self._timers = TIMERS if main else ()
        self.rang: int | None = None  # the signal, once
        self._before = [signal.signal(n, self._ring) for n, _ in self._timers]

    def _ring(self, number: int, frame: Any) -> None:
        self.rang = number
        raise TookTooLongError("stopped")

    @contextlib.contextmanager
    def after(self, left: tuple[float, float]) -> Iterator[None]:
        """So many CPU and wall seconds; the server answers with the exception."""
        for (_, timer), seconds in zip(self._timers, left, strict=False):
            signal.setitimer(timer, max(seconds, 0.001))
        try:
            yield
        finally:
            for _, timer in self._timers:
                signal.setitimer(timer, 0)

    def end(self) -> None:
        """Both signals are what they were."""
        for (number, timer), handler in zip(self._timers, self._before, strict=True):
            # One timer may have rung while the other was being stopped.
            signal.setitimer(timer, 0)
            signal.signal(number, handler or signal.SIG_DFL)
