"""Workers for any system: a program started anew, spoken to by pipes.

Where a warm process cannot be forked (macOS, Windows), and for one's own work
only: nothing is locked down. One process serves a whole run of checks, one
exercise after another; a new one is started when it died. The limit of a check
is the deadline of its calls: no clock of another process is read here.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

from grader.errors import EnvironmentFault
from grader.session.workers.arena import Arenas, FileArena
from grader.session.workers.budget import Budget
from grader.session.workers.exchange import Exchange
from grader.session.workers.faults import WorkerCrashedError, WorkerTimeoutError

PACKAGE_ROOT = Path(__file__).resolve().parents[3]
START_S = 180.0  # a cold import of torch on a slow disk, with a virus scanner
LAST_WORDS_S = 2.0
CHUNK = 1 << 16
MARK = re.compile(rb"\0grader:(\d+)\0")
LONGEST_MARK = 24


class FreshWorkers:
    """Starts workers; the first at once, so that it warms up meanwhile."""

    def __init__(self, libraries: list[str]) -> None:
        self._libraries = libraries
        self._idle: FreshWorker | None = FreshWorker(self)

    def wait_ready(self) -> None:
        """Nothing to wait for: each worker is waited for by itself."""

    def worker(self, *, seed: int, cpu_s: int, memory_mib: int) -> FreshWorker:
        """The worker that is free, or a new one; limits of the kernel are not set."""
        worker, self._idle = self._idle, None
        if worker is None or not worker.alive:
            worker = FreshWorker(self)
        worker.seed = seed
        return worker

    def take_back(self, worker: FreshWorker) -> None:
        """Keep a healthy worker for the next exercise."""
        if self._idle is None:
            self._idle = worker
        else:
            worker.kill()

    def close(self) -> None:
        """End the worker that is free."""
        if self._idle is not None:
            self._idle.kill()
            self._idle = None

    def start(self, folder: str) -> subprocess.Popen[bytes]:
        """Start the program.

        Raises:
            EnvironmentFault: this Python cannot be started.
        """
        plan = json.dumps({"libraries": self._libraries, "folder": folder})
        command = [sys.executable, "-B", "-s", "-P", "-m", "grader.worker.fresh", plan]
        apart: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":  # a Ctrl-C is for the session alone
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        try:
            return subprocess.Popen(
                command,
                bufsize=0,
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                **apart,
            )
        except OSError as e:
            raise EnvironmentFault(f"the worker's Python does not start: {e}") from e


def environment() -> dict[str, str]:
    """The caller's own, with what makes equal work give equal numbers."""
    ours = {
        "PYTHONPATH": str(PACKAGE_ROOT),
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "PYTHONIOENCODING": "utf-8",
        "MPLBACKEND": "Agg",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
    return {**os.environ, **ours}


class FreshWorker(Exchange):
    """One program started anew. Threads read and write: pipes know no deadline."""

    def __init__(self, workers: FreshWorkers) -> None:
        self._home = tempfile.TemporaryDirectory(
            prefix="worker-", ignore_cleanup_errors=True
        )
        make = partial(FileArena, Path(self._home.name))
        super().__init__(Arenas(make), 0)
        self._workers = workers
        self._process = workers.start(self._home.name)
        self._incoming: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._printed = threading.Condition()
        self._marked = 0  # replies whose output has been read to its end
        self._replies = 0
        self._ready = False
        self._waited_s = 0.0
        self._threads = [
            threading.Thread(target=task, daemon=True)
            for task in (self._listen, self._speak, self._collect)
        ]
        for thread in self._threads:
            thread.start()

    # -- threads ----------------------------------------------------------

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(self._process.stdout.fileno(), CHUNK):
                self._incoming.put(data)
        self._incoming.put(b"")

    def _speak(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while (data := self._outgoing.get()) is not None:
                view = memoryview(data)
                while view:
                    view = view[self._process.stdin.write(view) :]

    def _collect(self) -> None:
        """Keep what is printed; marks say which reply it came before."""
        assert self._process.stderr is not None
        pending = b""
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(self._process.stderr.fileno(), CHUNK):
                pending = self._keep(pending + data)
        with self._printed:
            self.output.add(pending)
            self._marked = sys.maxsize
            self._printed.notify_all()

    def _keep(self, data: bytes) -> bytes:
        """Put away what is sure to be output; what may be half a mark is left."""
        with self._printed:
            while found := MARK.search(data):
                self.output.add(data[: found.start()])
                self._marked = int(found[1])
                data = data[found.end() :]
            self._printed.notify_all()
            start = data.rfind(b"\0", max(0, len(data) - LONGEST_MARK))
            cut = len(data) if start < 0 else start
            self.output.add(data[:cut])
            return data[cut:]

    # -- the session's side -----------------------------------------------

    def wait_ready(self) -> None:
        """Wait for its word that it is warm.

        Raises:
            WorkerCrashedError: it ended instead; its output says why.
        """
        if self._ready:
            return
        if self._read(1, Budget(START_S, START_S)) != b"!":
            raise self._broken("it spoke before it was ready")
        self._ready = True
        self._waited_s = 0.0

    def cpu_s(self) -> float:
        """Seconds that its calls took: a deadline of calls is all there is here."""
        return self._waited_s

    def queued_s(self) -> float:
        """Not known here."""
        return 0.0

    def _send(self, data: bytes, budget: Budget) -> None:
        self._outgoing.put(data)
        self._replies += 1

    def _read(self, count: int, budget: Budget) -> bytes:
        while len(self._buffer) < count:
            start = time.monotonic()
            try:
                data = self._incoming.get(timeout=max(0.0, _left(budget)))
            except queue.Empty:
                self.kill()
                raise WorkerTimeoutError(budget.wall_s, wall=True, sure=True) from None
            finally:
                took = time.monotonic() - start
                self._waited_s += took
                budget.waited_s += took
            if not data:
                raise self._crashed()
            self._buffer += data
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def take_output(self) -> str:
        """What was printed since the last call, up to the last reply."""
        with self._printed:
            self._printed.wait_for(lambda: self._marked >= self._replies, LAST_WORDS_S)
            return self.output.take()

    def done(self) -> None:
        """Free for the next exercise."""
        if self.alive:
            self._workers.take_back(self)

    def _crashed(self) -> WorkerCrashedError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(LAST_WORDS_S)
        code = self._process.poll()
        self.kill()
        return WorkerCrashedError(how_it_ended(code))

    def kill(self) -> None:
        """End it and what it started, now and for ever."""
        if not self.alive:
            return
        self.alive = False
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._outgoing.put(None)
        for thread in self._threads:
            thread.join(LAST_WORDS_S)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self.arenas.close()
        self._home.cleanup()


def _left(budget: Budget) -> float:
    return budget.wall_s - budget.waited_s


def how_it_ended(code: int | None) -> str:
    """Words for a process's exit code, of any system."""
    if code is None:
        return "the process hung up"
    if code in (-signal.SIGSEGV, 0xC0000005):
        return "the process was ended by a segmentation fault"
    if code < 0:
        return f"the process was ended by a signal ({-code})"
    return f"the process ended itself (exit code {code})"
