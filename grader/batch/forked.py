"""The coordinator's hold on a session that another session forked."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
from typing import IO

from grader.session.protocol import Lane


class ForkedSession:
    """A session on a lane. It is no child of ours, so how it ended is not known."""

    def __init__(self) -> None:
        """Open a lane; the session to come gets the far ends of it."""
        requests, ours = os.pipe2(os.O_CLOEXEC)
        theirs, replies = os.pipe2(os.O_CLOEXEC)
        # Appending, so that the file can be cut short while the session writes.
        self.errors: IO[bytes] = tempfile.TemporaryFile("a+b")
        self.far = Lane(requests, replies, os.dup(self.errors.fileno()))
        self.stdin: IO[bytes] | None = os.fdopen(ours, "wb", buffering=0)
        self.stdout: IO[bytes] | None = os.fdopen(theirs, "rb", buffering=0)
        self.pid = 0  # not known before its hello
        self._pidfd = -1

    def begun(self, pid: int) -> None:
        """It has said hello."""
        with contextlib.suppress(ProcessLookupError):
            self._pidfd = os.pidfd_open(pid)
            self.pid = pid

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; 0, whatever the end was like.

        Raises:
            subprocess.TimeoutExpired: it is still there.
        """
        if self._pidfd >= 0:
            poll = select.poll()
            poll.register(self._pidfd, select.POLLIN)
            if not poll.poll(None if timeout is None else timeout * 1000):
                raise subprocess.TimeoutExpired("session", timeout or 0)
        return 0

    def kill(self) -> None:
        """End it and its workers' zygote; nothing when it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
            return
        # Only as long as it lives is the number its own.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Let go of it."""
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1
