"""The coordinator's end of one session subprocess."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import msgspec

import grader
from grader.batch.forked import ForkedSession
from grader.errors import EnvironmentFault
from grader.session.protocol import Hello

LONGEST_REPLY = 256 * 2**20
GRACE_S = 1.0
TAIL = 2000  # bytes of a dead session's stderr that are worth showing
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class SessionDied(EnvironmentFault):
    """A session ended, hung or answered nonsense while it graded a submission.

    Owner: us. Seen by: the TA. Points: none; the submission is tried again and
    ends as a grader error when that does not help.
    """


def session_environment() -> dict[str, str]:
    """Our environment, one thread, and this very grader package."""
    here = str(Path(grader.__file__).resolve().parents[1])
    path = [here, *filter(None, [os.environ.get("PYTHONPATH")])]
    threads = dict.fromkeys(ONE_THREAD, "1")
    return {**os.environ, **threads, "PYTHONPATH": os.pathsep.join(path)}


class Ended(SessionDied):
    """The session closed its end of the pipe by itself."""


class _Name(msgspec.Struct):
    id: str


_names = msgspec.json.Decoder(_Name)
_hellos = msgspec.json.Decoder(Hello)

Process = subprocess.Popen[bytes] | ForkedSession


class SessionClient:
    """Starts a session when it is first needed, and again after each death.

    One thread at a time may ask. The session leads a process group of its own:
    Ctrl-C reaches the coordinator alone, and a kill reaches all of the session.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.starts = 0
        self._process: Process | None = None
        self._lane: ForkedSession | None = None
        self._errors: IO[bytes] | None = None
        self._rest = b""
        self._closed = False

    def ask(self, request: bytes, name: str, wall_s: float) -> bytes:
        """Send one line, return the line that answers it.

        Raises:
            SessionDied: no answer to ``name`` came within ``wall_s`` seconds;
                the session is gone by then.
        """
        deadline = time.monotonic() + wall_s
        try:
            process = self._process or self._begin(deadline)
            self._send(process, request + b"\n", deadline)
            reply = self._receive(process, deadline)
            if _names.decode(reply).id != name:
                raise SessionDied("the session answered another request")
        except (SessionDied, OSError, msgspec.DecodeError) as e:
            raise SessionDied(self._obituary(e)) from e
        self._trim_errors()
        return reply

    def start(self, others: Sequence[SessionClient] = ()) -> None:
        """Start now, not at the first request; the session forks the ``others``.

        What does not start is started, or fails aloud, when it is asked.
        """
        lanes = [ForkedSession() for _ in others]
        with contextlib.suppress(OSError, SessionDied):
            self._start(lanes)
            for other, lane in zip(others, lanes, strict=True):
                other._lane = lane
        for lane in lanes:
            lane.far.close()

    def _begin(self, deadline: float) -> Process:
        """The session on our lane, while there is one; else a session of our own."""
        lane, self._lane = self._lane, None
        if lane is None:
            return self._start()
        self.starts += 1
        self._process, self._errors = lane, lane.errors
        lane.begun(_hellos.decode(self._receive(lane, deadline)).pid)
        if self._closed:  # by another thread, which could not kill it yet
            raise SessionDied("the batch was stopped")
        return lane

    def _start(self, lanes: Sequence[ForkedSession] = ()) -> Process:
        self.starts += 1
        self._rest = b""
        # Appending, so that the file can be cut short while the session writes.
        self._errors = tempfile.TemporaryFile("a+b")
        self._process = process = subprocess.Popen(
            [*self.command, *(f"--lane={lane.far}" for lane in lanes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=session_environment(),
            start_new_session=True,
            pass_fds=[fd for lane in lanes for fd in lane.far],
        )
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
        if self._closed:  # by another thread, while this one was starting it
            raise SessionDied("the batch was stopped")
        return process

    def _send(self, process: Process, data: bytes, deadline: float) -> None:
        assert process.stdin is not None
        handle = process.stdin.fileno()
        view = memoryview(data)
        while view:
            _wait_for(handle, selectors.EVENT_WRITE, deadline)
            with contextlib.suppress(BlockingIOError):
                view = view[os.write(handle, view) :]

    def _receive(self, process: Process, deadline: float) -> bytes:
        assert process.stdout is not None
        handle = process.stdout.fileno()
        parts, size = [self._rest], len(self._rest)
        while b"\n" not in parts[-1]:
            _wait_for(handle, selectors.EVENT_READ, deadline)
            with contextlib.suppress(BlockingIOError):
                part = os.read(handle, 2**20)
                if not part:
                    raise Ended("the session ended")
                parts.append(part)
                size += len(part)
            if size > LONGEST_REPLY:
                raise SessionDied(
                    f"the session answered more than {LONGEST_REPLY} bytes"
                )
        reply, _, self._rest = b"".join(parts).partition(b"\n")
        return reply

    def _trim_errors(self) -> None:
        if self._errors and os.fstat(self._errors.fileno()).st_size > 2**20:
            os.ftruncate(self._errors.fileno(), 0)

    def _obituary(self, cause: Exception) -> str:
        """Why the session died, in one line; kills it when it lives."""
        why = "the session's answer cannot be read"
        if isinstance(cause, SessionDied | OSError):
            why = str(cause)
        # A session that closes its pipes is about to end by itself, and how it
        # ended says more than that we killed it.
        code = self._end(GRACE_S if isinstance(cause, Ended | OSError) else 0.0)
        if code:
            why += f" (signal {-code})" if code < 0 else f" (exit code {code})"
        last = self._tail().splitlines()
        self._forget()
        return f"{why}: {last[-1]}" if last else why

    def _tail(self) -> str:
        if self._errors is None:
            return ""
        handle = self._errors.fileno()
        start = max(0, os.fstat(handle).st_size - TAIL)
        return os.pread(handle, TAIL, start).decode("utf-8", "replace").strip()

    def _end(self, grace_s: float) -> int | None:
        """The exit code; None when it had to be killed."""
        process = self._process
        if process is None:
            return None
        code = None
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = process.wait(timeout=grace_s)
        _kill_group(process)
        process.wait()
        return code

    def _forget(self) -> None:
        process, self._process = self._process, None
        if isinstance(process, ForkedSession):
            process.close()
        pipes = (process.stdin, process.stdout) if process else ()
        for pipe in (*pipes, self._errors):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._errors = None

    def kill(self) -> None:
        """End the session from another thread; it cannot be started again."""
        self._closed = True
        process = self._process
        if process is not None:
            _kill_group(process)

    def close(self) -> None:
        """End the session; only when no thread is asking."""
        self.kill()
        self._end(GRACE_S)
        self._forget()
        # Of a session that nobody asked: it ends as its lane is closed.
        self._process, self._lane = self._lane, None
        self._errors = self._process.errors if self._process else None
        self._forget()


def _kill_group(process: Process) -> None:
    if isinstance(process, ForkedSession):
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _wait_for(handle: int, event: int, deadline: float) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(handle, event)
        if not selector.select(max(0.0, deadline - time.monotonic())):
            raise SessionDied("the session did not answer in time")
