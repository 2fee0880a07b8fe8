"""The session's end of a zygote: start it, get workers from it, see them end."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.errors import EnvironmentFault
from grader.session.core import cores

if TYPE_CHECKING:
    from grader.session.workers.worker import Worker

PACKAGE_ROOT = Path(__file__).resolve().parents[3]
START_S = 120.0  # a cold import of torch on a busy, slow disk
SPAWN_S = 30.0

# What a host needs passed on for numpy to pick the right kernels on its CPU.
PASSED_ON = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "NVPL_BLAS_DEBUG_CPU_TYPE")


def worker_environment(home: str) -> dict[str, str]:
    """The whole environment of a zygote: ours, nothing of the caller's.

    ``home`` is a folder made for it. In a jail the lock-down puts the worker's
    own scratch in its place.
    """
    environment = {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": home,
        "TMPDIR": home,
        "USER": "student",
        "LOGNAME": "student",
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": home,
        "TORCHINDUCTOR_CACHE_DIR": f"{home}/inductor",
        "PYTHONPATH": str(PACKAGE_ROOT),
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
    return environment | {k: os.environ[k] for k in PASSED_ON if k in os.environ}


def _plan_beside(plan: Callable[[], dict[str, Any]], number: int) -> dict[str, Any]:
    from grader.worker.lockdown import stand_beside

    return stand_beside(plan(), number)


@dataclass
class Death:
    """How a worker ended: wait status, peak memory, CPU seconds."""

    status: int
    memory_kib: int
    cpu_s: float


@dataclass
class Spawned:
    """A worker just forked, not yet locked down."""

    pid: int  # as the zygote sees it
    pidfd: int
    channel: socket.socket
    output: int


class Zygote:
    """A warm process to fork workers from. Start it early: it warms up alone."""

    def __init__(
        self,
        libraries: list[str],
        plan: Callable[[], dict[str, Any]],
        control: socket.socket | None = None,
    ) -> None:
        """Start it.

        Args:
            libraries: to import.
            plan: makes the plan of its lock-down, while it imports them.
            control: it runs already, and is ready.

        Raises:
            GraderError: there is no such plan, or no such program.
        """
        self.libraries = libraries
        self.plan = plan
        self._deaths: dict[int, Death] = {}
        self._forgotten: set[int] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._home: tempfile.TemporaryDirectory[str] | None = None
        self._control = control
        self._ready = control is not None
        self.starts = 0
        if control is None:
            self.start()

    def start(self) -> None:
        """Launch the program; returns once it knows its plan."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._home = home = tempfile.TemporaryDirectory(
            prefix="worker-", ignore_cleanup_errors=True
        )
        command = [
            sys.executable, "-B", "-s", "-P", "-m", "grader.worker.zygote",
            str(theirs.fileno()),
        ]  # fmt: skip
        try:
            self._process = subprocess.Popen(
                command,
                env=worker_environment(home.name),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as e:
            raise EnvironmentFault(f"the worker's Python does not start: {e}") from e
        theirs.close()
        self._control = ours
        self._ready = False
        self.starts += 1
        ours.send(json.dumps(self.libraries).encode())
        try:
            plan = self.plan()
        except BaseException:
            self.close()
            raise
        # Not among its arguments: a worker could read them there.
        ours.send(json.dumps(plan).encode())

    def wait_ready(self) -> None:
        """Wait until it is warm.

        Raises:
            EnvironmentFault: it ended or did not come up in time.
        """
        if self._ready:
            return
        message = self._receive(START_S)
        if message is None or "ready" not in message:
            said = self._last_words()
            raise EnvironmentFault(f"the worker's zygote did not start: {said}")
        self._ready = True

    def _last_words(self) -> str:
        assert self._process is not None
        self._process.kill()
        _, errors = self._process.communicate()
        lines = errors.decode(errors="replace").strip().splitlines()
        return lines[-1][:300] if lines else "it said nothing"

    def _receive(self, timeout_s: float) -> dict[str, Any] | None:
        """One message; None when it hung up or the time is over."""
        assert self._control is not None
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        if not poll.poll(timeout_s * 1000):
            return None
        try:
            data, fds, _, _ = socket.recv_fds(self._control, 65536, 1)
        except OSError:
            return None
        if not data:
            return None
        message: dict[str, Any] = json.loads(data)
        if fds:
            message["pidfd"] = fds[0]
        if "dead" in message:
            pid = message.pop("dead")
            if pid in self._forgotten:
                self._forgotten.remove(pid)
            else:
                self._deaths[pid] = Death(**message)
            return {"death": True}
        return message

    def another(self, number: int) -> Zygote:
        """A second zygote, forked off this one: for session ``number`` of a batch.

        It has an identity of its own, where ours is not the caller's. It ends with
        this one at the latest, and is then started anew as any is.

        Raises:
            EnvironmentFault: it could not be had.
        """
        self.wait_ready()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            message = self._order({"zygote": number}, [theirs.fileno()])
        if message is None or "pidfd" not in message:
            ours.close()
            raise EnvironmentFault((message or {}).get("error", "the zygote is gone"))
        os.close(message["pidfd"])
        plan = partial(_plan_beside, self.plan, number)
        return Zygote(self.libraries, plan, ours)

    def leave(self) -> None:
        """Let it be whose it is now, without ending it: after a fork of ours."""
        if self._control is not None:
            self._control.close()
        self._control = self._process = self._home = None

    def _order(self, order: dict[str, Any], fds: list[int]) -> dict[str, Any] | None:
        """Send an order; its answer, None when the zygote is gone."""
        assert self._control is not None
        try:
            socket.send_fds(self._control, [json.dumps(order).encode()], fds)
            message = self._receive(SPAWN_S)
            while message == {"death": True}:
                message = self._receive(SPAWN_S)
        except OSError:
            return None
        return message

    def worker(self, *, seed: int, cpu_s: int, memory_mib: int) -> Worker:
        """A worker just forked; see ``spawn``."""
        from grader.session.workers.worker import Worker

        return Worker(self, seed=seed, cpu_s=cpu_s, memory_mib=memory_mib)

    def spawn(self, *, cpu_s: int, memory_mib: int) -> Spawned:
        """Fork a worker; a zygote that died is started anew, once.

        Raises:
            EnvironmentFault: no worker could be had.
        """
        for attempt in (1, 2):
            try:
                self.wait_ready()
                return self._spawn(cpu_s, memory_mib)
            except (EnvironmentFault, OSError) as e:
                if attempt == 2:
                    raise EnvironmentFault(f"no worker could be started: {e}") from e
                self.close()
                self.start()
        raise AssertionError("unreachable")

    def _spawn(self, cpu_s: int, memory_mib: int) -> Spawned:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        read, write = os.pipe2(os.O_CLOEXEC)
        order = {"cpu_s": cpu_s, "memory_mib": memory_mib, "cores": cores()}
        message = self._order(order, [theirs.fileno(), write])
        theirs.close()
        os.close(write)
        if message is None or "pidfd" not in message:
            ours.close()
            os.close(read)
            raise EnvironmentFault((message or {}).get("error", "the zygote is gone"))
        os.set_blocking(read, False)
        return Spawned(message["pid"], message["pidfd"], ours, read)

    def death_of(self, pid: int) -> Death | None:
        """How worker ``pid`` ended; waits for the zygote to reap it."""
        while pid not in self._deaths:
            if self._receive(SPAWN_S) is None:
                return None
        return self._deaths.pop(pid)

    def forget(self, pid: int) -> None:
        """Nobody will ask how worker ``pid`` ended."""
        if self._deaths.pop(pid, None) is None:
            self._forgotten.add(pid)

    def close(self) -> None:
        """End it, and every worker with it."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stderr is not None:
                self._process.stderr.close()
        if self._home is not None:
            self._home.cleanup()
        self._deaths.clear()
        self._forgotten.clear()
