"""The session's end of one worker: send, wait within limits, read, kill.

The session waits in poll for an answer, so a worker that holds its GIL, sleeps
or floods hurts nobody. Death is seen by pidfd: a forked child could keep the
channel open. CPU time is read from the kernel's clock of that process, never
asked of the worker.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import socket
import time
from typing import Any

from grader import wire
from grader.session.workers.arena import Arenas, MemoryArena
from grader.session.workers.budget import Budget
from grader.session.workers.exchange import Exchange
from grader.session.workers.faults import (
    WorkerCrashedError,
    WorkerLostError,
    WorkerTimeoutError,
)
from grader.session.workers.zygote import Spawned, Zygote

READY_S = 30.0
CHUNK = 1 << 16


class Worker(Exchange):
    """A live worker. Every method may raise a WorkerFault, which kills it."""

    def __init__(self, zygote: Zygote, *, seed: int, cpu_s: int, memory_mib: int):
        super().__init__(Arenas(MemoryArena), seed)
        self._zygote = zygote
        self._spawned: Spawned = zygote.spawn(cpu_s=cpu_s, memory_mib=memory_mib)
        self._channel = self._spawned.channel
        self._channel.setblocking(False)
        self._pid = _host_pid(self._spawned.pidfd)
        # The kernel's clock of that process's CPU time (clock_getcpuclockid(3)).
        self._clock = (~self._pid << 3) | 2
        self._schedule = _open_schedule(self._pid)
        self.cpu_used_s = 0.0
        self._poll = select.poll()
        self._poll.register(self._channel, select.POLLIN)
        self._poll.register(self._spawned.pidfd, select.POLLIN)
        self._poll.register(self._spawned.output, select.POLLIN)
        self._output_open = True

    def wait_ready(self) -> None:
        """Wait for its word that it is locked down: nothing is sent before.

        Raises:
            WorkerCrashedError: the lock-down failed; the output says why.
        """
        if self._read(1, Budget(READY_S, READY_S)) != b"!":
            raise self._broken("it spoke before it was locked down")

    def cpu_s(self) -> float:
        """CPU seconds that the process has used, by the kernel's count."""
        if not self.alive:
            return self.cpu_used_s
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return self.cpu_used_s

    def queued_s(self) -> float:
        """Seconds that its main thread was ready to run and did not get to."""
        try:
            return int(os.pread(self._schedule, 100, 0).split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def _send(self, data: bytes, budget: Budget) -> None:
        view = memoryview(data)
        fds, self.arenas.unsent = self.arenas.unsent, []
        while fds:
            try:
                # One descriptor rides on one byte-bearing send.
                sent = socket.send_fds(self._channel, [view[:1]], [fds[0]])
                view, fds = view[sent:], fds[1:]
            except BlockingIOError:
                self._wait(budget, select.POLLOUT)
            except OSError:
                raise self._crashed() from None
        while view:
            try:
                view = view[self._channel.send(view) :]
            except BlockingIOError:
                self._wait(budget, select.POLLOUT)
            except OSError:
                raise self._crashed() from None

    def _read(self, count: int, budget: Budget) -> bytes:
        while len(self._buffer) < count:
            # First wait, then read: an answer is seldom there at once.
            self._wait(budget, select.POLLIN)
            try:
                data = self._channel.recv(max(CHUNK, count - len(self._buffer)))
            except BlockingIOError:
                continue
            except OSError:
                raise self._crashed() from None
            if not data:
                raise self._crashed()
            self._buffer += data
        if len(self._buffer) > count and count > wire.HEADER.size:
            raise self._broken("more than one reply to a request")
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def _wait(self, budget: Budget, events: int) -> None:
        """Until the channel is ready, within the budget; drains output meanwhile."""
        fd = self._channel.fileno()
        if events != select.POLLIN:
            self._poll.modify(fd, events)
        try:
            while True:
                cpu_left = budget.cpu_s - self.cpu_s()
                wall_left = budget.wall_s - budget.waited_s
                if wall_left <= 0:
                    wall_left += self.queued_s() - budget.queued_s
                if cpu_left <= 0 or wall_left <= 0:
                    self.kill()
                    limit = budget.allowed_s if cpu_left <= 0 else budget.wall_s
                    raise WorkerTimeoutError(limit, wall=cpu_left > 0)
                start = time.monotonic()
                ready = self._poll.poll(max(1.0, min(cpu_left, wall_left) * 1000))
                budget.waited_s += time.monotonic() - start
                if len(ready) == 1 and ready[0][0] == fd:
                    return
                ready_fds = {f for f, _ in ready}
                if self._spawned.output in ready_fds:
                    self._drain()
                if fd in ready_fds:
                    return
                if self._spawned.pidfd in ready_fds:
                    raise self._crashed()
        finally:
            if events != select.POLLIN and self.alive:
                self._poll.modify(fd, select.POLLIN)

    def _drain(self, most: int = 16) -> None:
        """Read some of what waits in the output pipe (1 MB at most a turn)."""
        for _ in range(most):
            if not self._output_open:
                return
            try:
                data = os.read(self._spawned.output, CHUNK)
            except BlockingIOError:
                return
            if not data:
                self._poll.unregister(self._spawned.output)
                self._output_open = False
                return
            self.output.add(data)

    def take_output(self) -> str:
        """What was printed since the last call."""
        if self.alive:
            self._drain()
        return self.output.take()

    def _crashed(self) -> WorkerCrashedError | WorkerLostError:
        # It hung up; let it end by itself, so that its own status is seen.
        ending = select.poll()
        ending.register(self._spawned.pidfd, select.POLLIN)
        ending.poll(200)
        death = self.kill()
        if death is None:
            return WorkerLostError("the zygote ended, and its worker with it")
        return WorkerCrashedError(_how_it_ended(death))

    def kill(self) -> Any:
        """End it now and for ever; returns how it ended."""
        if not self.alive:
            return None
        self._end()
        death = self._zygote.death_of(self._spawned.pid)
        if death is not None:
            self.cpu_used_s = max(death.cpu_s, self.cpu_used_s)
        self._drain()
        self._close()
        return death

    def done(self) -> None:
        """End it; nobody asks how it ended.

        The kernel takes milliseconds to take a jail down, of which we need none.
        """
        if self.alive:
            self._end()
            self._zygote.forget(self._spawned.pid)
            self._close()

    def _end(self) -> None:
        self.alive = False
        with contextlib.suppress(OSError):
            self.cpu_used_s = time.clock_gettime(self._clock)
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._spawned.pidfd, signal.SIGKILL)

    def _close(self) -> None:
        self._channel.close()
        os.close(self._spawned.output)
        os.close(self._spawned.pidfd)
        if self._schedule >= 0:
            os.close(self._schedule)
            self._schedule = -1
        self.arenas.close()


def _host_pid(pidfd: int) -> int:
    """The pid as this side sees it: the zygote, in its jail, knows another."""
    with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as f:
        found = re.search(r"^Pid:\s*(-?\d+)", f.read(), re.MULTILINE)
    return int(found.group(1)) if found else -1


def _open_schedule(pid: int) -> int:
    """A descriptor of its time in the run queue; -1 where the kernel tells none."""
    try:
        return os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1


def _how_it_ended(death: Any) -> str:
    if os.WIFSIGNALED(death.status):
        number = os.WTERMSIG(death.status)
        try:
            name = signal.Signals(number).name
        except ValueError:
            name = f"signal {number}"
        words = {
            "SIGSEGV": "a segmentation fault",
            "SIGXCPU": "the CPU limit",
            "SIGSYS": "a system call that this sandbox does not have",
            "SIGABRT": "an abort",
        }.get(name, "a signal")
        return f"the process was ended by {words} ({name})"
    return f"the process ended itself (exit code {os.WEXITSTATUS(death.status)})"
