"""Sessions on this machine: a thread for each, a subprocess behind each."""

from __future__ import annotations

import queue
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import msgspec

from grader.batch.backend import wall_limit
from grader.batch.client import SessionClient, SessionDied
from grader.course import Course

TRIES = 3


class Named(msgspec.Struct):
    """The part of a request that says which one it is."""

    id: str


_named = msgspec.json.Decoder(Named)


def session_command(course_dir: Path, isolation: str) -> list[str]:
    """The program that grades, one submission a line."""
    # -P: the folder we are called from may hold hand-ins, one of them a torch.py.
    python = [sys.executable, "-P", "-m", "grader.session"]
    return [*python, "--course", str(course_dir), "--isolation", isolation]


class SessionPool:
    """A fixed number of sessions, each for whoever takes it."""

    def __init__(
        self,
        command: Sequence[str],
        size: int,
        wall_s: float,
        tries: int = TRIES,
        *,
        forks: bool = False,
    ) -> None:
        """``forks``: the command can fork further sessions, see ``session.lanes``.

        They share what they learn of mistakes in a folder that ends with the pool.
        """
        self._shelf: tempfile.TemporaryDirectory[str] | None = None
        if forks:
            self._shelf = tempfile.TemporaryDirectory(
                prefix="grader-", ignore_cleanup_errors=True
            )
            command = [*command, "--shelf", self._shelf.name]
        self.clients = [SessionClient(command) for _ in range(size)]
        self.wall_s = wall_s
        self.tries = tries
        self._stopped = False
        self._forks = forks
        self._starting = threading.Lock()
        self._idle: queue.SimpleQueue[SessionClient] = queue.SimpleQueue()
        for client in self.clients:
            self._idle.put(client)

    def start(self) -> None:
        """Start the sessions that one of them forks; the others wait to be asked."""
        with self._starting:
            if self._forks:
                self._forks = False
                first, *others = self.clients
                first.start(others)

    def grade(self, request: bytes) -> bytes:
        """Ask an idle session; another try, with a new one, when it dies.

        Raises:
            SessionDied: all tries were in vain.
        """
        self.start()
        name = _named.decode(request).id
        client = self._idle.get()
        try:
            for attempt in range(1, self.tries + 1):
                try:
                    return client.ask(request, name, self.wall_s)
                except SessionDied as e:
                    if attempt == self.tries or self._stopped:
                        times = "once" if attempt == 1 else f"{attempt} times"
                        raise SessionDied(f"{e} (tried {times})") from e
            raise AssertionError("the loop returns or raises")
        finally:
            self._idle.put(client)

    def kill(self) -> None:
        """Make every running ``grade`` fail now."""
        self._stopped = True
        for client in self.clients:
            client.kill()

    def close(self) -> None:
        """Free everything; nothing may be running."""
        self.kill()
        for client in self.clients:
            client.close()
        if self._shelf is not None:
            self._shelf.cleanup()


class LocalBackend:
    """The backend of one machine."""

    def __init__(
        self,
        command: Sequence[str],
        jobs: int,
        wall_s: float,
        tries: int = TRIES,
        *,
        forks: bool = False,
    ) -> None:
        self.pool = SessionPool(command, jobs, wall_s, tries, forks=forks)
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="session")

    def start(self) -> None:
        """Start now what would be started for the first submission."""
        self.pool.start()

    @property
    def slots(self) -> int:
        """One for each session."""
        return len(self.pool.clients)

    def submit(self, request: bytes) -> Future[bytes]:
        """See ``Backend.submit``."""
        return self._threads.submit(self.pool.grade, request)

    def close(self) -> None:
        """See ``Backend.close``."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self.pool.kill()
        self._threads.shutdown(wait=True)
        self.pool.close()


def local_backend(
    course: Course, *, isolation: str, jobs: int
) -> Callable[[], LocalBackend]:
    """A factory of sessions on this machine, for ``grade_batch``."""
    command = session_command(course.root, isolation)
    forks = sys.platform.startswith("linux")
    return lambda: LocalBackend(command, jobs, wall_limit(course), forks=forks)


class StartedBackend:
    """Sessions that import while it is still being read what they shall grade.

    A factory for ``grade_batch``: the first call gives these, later ones others.
    """

    def __init__(self, make: Callable[[], LocalBackend]) -> None:
        self._make = make
        self._first: LocalBackend | None = make()
        self._first.start()

    def __call__(self) -> LocalBackend:
        """The sessions; whoever takes them closes them."""
        first, self._first = self._first, None
        return first or self._make()

    def close(self) -> None:
        """End them, when nobody has taken them."""
        if self._first is not None:
            self._first.close()
            self._first = None
