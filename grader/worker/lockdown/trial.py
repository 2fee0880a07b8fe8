"""Runs as a program of its own, without torch: try each level and tell.

    python -B -s -P -m grader.worker.lockdown.trial < order.json > facts.json

The order holds the plan's parts and names of what to do without; the answer
says for each level whether a locked-down child really came out of it, and as
whom. No submission is near.
"""

from __future__ import annotations

import _socket
import errno
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from grader.worker.lockdown import confine, enter_jail, landlock, prepare, pretend
from grader.worker.lockdown.libc import LockdownError

TRIED = ("full", "partial", "minimal")


def _refused(what: str, attempt: Callable[[], object], *numbers: int) -> None:
    """Raise unless ``attempt`` fails with one of the errors we expect."""
    try:
        attempt()
    except OSError as e:
        if e.errno in numbers:
            return
        raise LockdownError(f"{what} failed oddly", e.errno or 0) from e
    raise LockdownError(f"{what} was possible")


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _new_socket() -> None:
    _socket.socket()


def _open(path: str, flags: int = os.O_RDONLY) -> None:
    os.close(os.open(path, flags, 0o600))


def _write(path: str) -> None:
    _open(path, os.O_WRONLY | os.O_CREAT)


def check_confined(plan: dict[str, Any], samples: list[str]) -> None:
    """In a locked-down child: see that it holds what the level promises.

    Raises:
        LockdownError: it does not; the text says where.
    """
    level = plan["level"]
    _refused("a socket", _new_socket, errno.EPERM)
    _refused("a fork", _fork, errno.EPERM)
    denied = (errno.EACCES, errno.EPERM)
    if level == "minimal":
        _refused("opening a file", lambda: _open("/etc/passwd"), errno.EACCES)
        return
    if level == "full":
        gone = (errno.ENOENT, *denied)
        _refused("opening /proc", lambda: _open("/proc/self/status"), *gone)
        read_only = (errno.EROFS, *denied)
        _refused("writing outside the scratch", lambda: _write("/x"), *read_only)
        _write(f"{plan['scratch']}/x")
    else:
        _refused("reading /etc/passwd", lambda: _open("/etc/passwd"), *denied)
        _refused("writing in /tmp", lambda: _write("/tmp/x"), *denied)
    for path in samples:
        try:
            _open(path)
        except OSError as e:
            raise LockdownError(f"reading {path}", e.errno or 0) from e


def _in_child(work: Callable[[], str]) -> str:
    """What ``work`` returns in a forked child; "" when all went well."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            said = work()
        except BaseException as e:  # whatever it is, it is this trial's answer
            said = str(e) or type(e).__name__
        os.write(write, (said or "ok").encode()[:4000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    status = os.waitpid(child, 0)[1]
    if said == "ok":
        return ""
    return said or f"the trial ended with wait status {status}"


def _attempt(plan: dict[str, Any], samples: list[str]) -> str:
    """One plan, from the zygote's steps to a confined child; "" or the fault."""

    def zygote() -> str:
        prepared = prepare(plan)
        if plan["level"] == "full":
            enter_jail(plan)
        return _in_child(lambda: worker(prepared))

    def worker(prepared: Any) -> str:
        everything = set(range(64))  # the pipe of the trial among them
        confine(prepared, keep_fds=everything, cpu_s=5, memory_mib=256)
        check_confined(plan, samples)
        return ""

    return _in_child(zygote)


def _candidates(level: str, uid: int | None) -> list[dict[str, Any]]:
    """Ways to reach a level, the strictest first."""
    privileged = os.geteuid() == 0
    namespaces = [False, True] if level == "full" and privileged else [level == "full"]
    found = []
    for userns in namespaces:
        # In a user namespace of our own only the caller's uid exists.
        for wanted in [uid, None] if uid is not None and not userns else [None]:
            found.append({"userns": userns, "uid": wanted, "gid": wanted})
    return found


def try_level(level: str, order: dict[str, Any], abi: int) -> dict[str, Any]:
    """The first way to ``level`` that works, or why the last one did not."""
    faults: list[str] = []
    for way in _candidates(level, order["uid"]):
        own = way["uid"] is not None or way["userns"]
        applied = level != "minimal" and abi > 0
        plan = order["plan"] | way | {"level": level, "nproc": own, "landlock": applied}
        fault = _attempt(plan, order["samples"])
        if not fault:
            return {"ok": True, "faults": faults, "plan": plan}
        faults.append(fault)
    return {"ok": False, "faults": faults, "plan": None}


def main() -> None:
    """Read the order, try, print the facts."""
    order = json.load(sys.stdin)
    pretend.without(set(order["without"]))
    abi = landlock.version()
    levels = {level: try_level(level, order, abi) for level in TRIED}
    print(json.dumps({"landlock_abi": abi, "levels": levels}))


if __name__ == "__main__":
    main()
