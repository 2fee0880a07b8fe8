"""One worker that tries to get out, before any submission runs.

The probe says what should hold; the canary goes the whole way that a
submission goes, through this very zygote. What the trusted side can see for
itself (a file made, a connection opened, a secret in the answer) it does not
take on trust.
"""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.errors import GraderError, IsolationError

# Every attack is a module with a function ``attack`` that answers in words.
FRAME = """
import os

def attempt():
{body}

def attack():
    try:
        return "escaped: " + str(attempt())
    except (OSError, ImportError) as e:
        return "stopped: " + type(e).__name__
"""

# It must come back alive: a worker that never starts stops every attack.
ALIVE = "stopped: alive"
HONEST = f"def attack():\n    return {ALIVE!r}\n"

READ = "    with open({secret!r}) as file:\n        return file.read()"
WRITE = "    with open({mark!r}, 'w') as file:\n        return file.write('x')"
CONNECT = """\
    import _socket
    s = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    s.connect(("127.0.0.1", {port}))
    s.close()
    return 1"""
FORK = """\
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    return pid"""
# The dynamic loader is a program that even the jail's tree has in it.
EXECUTE = """\
    failure = OSError("nothing to run")
    for program in ("/bin/sh", "/usr/bin/true", {loader!r}):
        try:
            os.execv(program, [program, "-c", "echo > " + {mark!r}])
        except OSError as e:
            failure = e
    raise failure"""
KILL = "    os.kill(os.getppid(), 0)\n    return os.getppid()"

ATTACKS = {
    "read a hidden file": READ,
    "write a file": WRITE,
    "connect to this machine": CONNECT,
    "fork": FORK,
    "execute a program": EXECUTE,
    "kill the zygote": KILL,
}


@dataclass
class _Bait:
    """What the attacks reach for, in a directory that anyone may write to."""

    secret: Path
    token: str
    mark: Path
    listener: socket.socket

    def source(self, body: str) -> str:
        values = {
            "secret": str(self.secret),
            "mark": str(self.mark),
            "port": self.listener.getsockname()[1],
            "loader": _loader(),
        }
        return FRAME.format(body=body.format(**values))

    def taken(self, reply: str) -> str:
        """What the trusted side sees by itself; "" when nothing was taken."""
        if self.token in reply:
            return "the secret came back"
        if self.mark.exists():
            return "a file was made"
        try:
            self.listener.accept()[0].close()
        except BlockingIOError:
            return ""
        return "a connection arrived"


def _loader() -> str:
    names = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
    return next((name for name in names if os.path.exists(name)), "/bin/true")


@contextmanager
def _bait() -> Iterator[_Bait]:
    with tempfile.TemporaryDirectory() as name, socket.socket() as listener:
        folder = Path(name)
        # File permissions shall not be what stops the canary.
        folder.chmod(0o777)
        token = secrets.token_hex(16)
        secret = folder / "hidden.py"
        secret.write_text(token, encoding="ascii")
        secret.chmod(0o644)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.setblocking(False)
        yield _Bait(secret, token, folder / "mark", listener)


def release(run: Callable[[str], str]) -> None:
    """Send the canary; returns when all its attacks were stopped.

    Args:
        run: starts a worker, runs the source text in it as a submission's
            module, calls its ``attack()`` and returns the text that comes back.

    Raises:
        IsolationError: an attack succeeded, or its worker did not answer.
    """
    if (reply := _answer(run, HONEST, "start")) != ALIVE:
        raise IsolationError(f"no worker comes up at this level: {reply[:200]}")
    with _bait() as bait:
        for name, body in ATTACKS.items():
            reply = _answer(run, bait.source(body), name)
            seen = bait.taken(reply)
            if seen or not reply.startswith("stopped: "):
                raise IsolationError(
                    f"the canary could {name} ({seen or reply[:200]}): this isolation "
                    "does not hold here, so nothing is graded"
                )


def _answer(run: Callable[[str], str], source: str, what: str) -> str:
    try:
        return run(source)
    except GraderError:
        raise
    except Exception as e:  # a worker's fault of any kind is no proof
        raise IsolationError(f"the canary gave no answer (to {what}): {e}") from e
