"""Runs in zygote and worker. What stands between a student's code and the host.

The plan, made by the trusted side, says everything that depends on the level:

    {"level": "full" | "partial" | "minimal" | "none",
     "uid": int | null, "gid": int | null,   identity of a worker; null: keep
     "userns": bool,                         the jail needs a user namespace
     "landlock": bool,                       apply it (partial: must be true)
     "nproc": bool,                          processes can be counted alone
     "read_paths": [...],                    all that may be read
     "scratch": "/scratch", "scratch_mib": 64, "shm_mib": 16}

``leave_out`` is known to tests alone: they take a layer away to see that the
attack that it stops then works. Nothing that reads a course file, a command
line or a submission ever writes it.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

from grader.worker.lockdown import jail, landlock, limits, seccomp
from grader.worker.lockdown.libc import LockdownError, close_all_but

__all__ = [
    "LEVELS",
    "LockdownError",
    "Prepared",
    "confine",
    "enter_jail",
    "prepare",
    "stand_beside",
]

LEVELS = ("full", "partial", "minimal", "none")
FILTERS = {"full": "rw", "partial": "ro", "minimal": "none"}
LAYERS = frozenset({"descriptors", "scratch", "limits", "ids", "landlock", "seccomp"})


class Prepared:
    """What the zygote makes ready once for all its workers."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan = plan
        self.level: str = plan["level"]
        self.layers = LAYERS - set(plan.get("leave_out", ()))
        self.used = limits.address_space()
        self.zygote_pid = os.getpid()
        self.filter: seccomp.Filter | None = None
        self.handled = [
            number
            for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}
            if signal.getsignal(number) is not signal.SIG_DFL
        ]


def stand_beside(plan: dict[str, Any], number: int) -> dict[str, Any]:
    """``plan`` for session ``number`` of a batch, with an identity of its own.

    The kernel counts threads by identity: of one that sessions share, a hand-in
    could use up what its neighbours need.
    """
    if plan.get("uid") is None:  # an ordinary user has no other
        return plan
    return plan | {"uid": plan["uid"] + number}


def prepare(plan: dict[str, Any]) -> Prepared:
    """In the warm zygote, before the jail: measure, compile, check the plan.

    Raises:
        LockdownError: this host cannot do what the plan asks.
    """
    if plan["level"] not in LEVELS:
        raise LockdownError(f"unknown isolation level {plan['level']!r}")
    prepared = Prepared(plan)
    if prepared.level == "none":
        return prepared
    if not sys.platform.startswith("linux"):
        raise LockdownError(f"isolation needs Linux; this is {sys.platform}")
    if prepared.used is None:
        raise LockdownError("/proc is needed to size the memory limit")
    if prepared.level == "partial" and not plan["landlock"]:
        raise LockdownError("the level partial needs Landlock")
    prepared.filter = seccomp.compile_filter(FILTERS[prepared.level])
    _settle(plan)
    if prepared.level != "full":
        limits.empty_bounding_set()
    return prepared


def enter_jail(plan: dict[str, Any]) -> int:
    """Put the zygote, single-threaded, into the jail of the level full.

    Forks: the process that returns is pid 1 of the jail, the caller's own
    process waits for it and ends as it ends.

    Returns:
        Our pid inside, 1.

    Raises:
        LockdownError: a step failed; the process is then half-way and must end.
    """
    try:
        pid = jail.enter(plan)
        limits.empty_bounding_set()
        return pid
    except OSError as e:
        raise LockdownError(f"jail: {e}") from e


def confine(
    prepared: Prepared, *, keep_fds: set[int], cpu_s: int, memory_mib: int
) -> None:
    """In a worker just forked, single-threaded: lock down, for ever.

    Args:
        prepared: from ``prepare``, in the zygote.
        keep_fds: the only descriptors that stay open.
        cpu_s: CPU seconds of the whole worker.
        memory_mib: memory beyond what the zygote itself uses.

    Raises:
        LockdownError: a step failed; no student code may run.
    """
    try:
        _confine(prepared, keep_fds, cpu_s, memory_mib)
    except OSError as e:
        raise LockdownError(f"lock-down: {e}") from e


def _confine(
    prepared: Prepared, keep_fds: set[int], cpu_s: int, memory_mib: int
) -> None:
    plan, level, layers = prepared.plan, prepared.level, prepared.layers
    linux = sys.platform.startswith("linux")
    if linux:
        limits.die_with_parent()
        if level != "full" and os.getppid() != prepared.zygote_pid:
            raise LockdownError("the zygote is gone")
    os.setsid()
    _default_signals(prepared.handled)
    if "descriptors" in layers:
        close_all_but(keep_fds) if linux else os.closerange(max(keep_fds) + 1, 1024)
    if level == "full" and "scratch" in layers:
        jail.mount_scratch(plan)
    if "limits" in layers:
        limits.set_limits(
            plan, prepared.used, cpu_s, memory_mib, strict=level != "none"
        )
    if level == "none":
        return
    if "ids" in layers:
        limits.become(plan["uid"], plan["gid"])
    limits.no_way_back()
    limits.die_with_parent()
    if plan["landlock"] and level in ("full", "partial") and "landlock" in layers:
        _landlock(plan)
    os.chdir(plan["scratch"] if level == "full" else "/")
    if "seccomp" in layers and prepared.filter is not None:
        prepared.filter.install()


def _default_signals(handled: Sequence[int]) -> None:
    """Nothing of the zygote's handling stays; a full pipe or disk is an error."""
    signal.set_wakeup_fd(-1)
    for number in handled:
        signal.signal(number, signal.SIG_DFL)
    for name in ("SIGPIPE", "SIGXFSZ"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _landlock(plan: dict[str, Any]) -> None:
    if plan["level"] == "full":  # "/" is the jail's, which holds the allow-list
        write = [plan["scratch"], "/dev/shm"]
        landlock.restrict(read=["/"], write=write, devices=["/dev/null"])
    else:
        landlock.restrict(read=plan["read_paths"], write=[], devices=[])


def _settle(plan: dict[str, Any]) -> None:
    """Where workers find a home and a place for temporary files.

    Without a scratch it is /tmp, which exists but refuses writes: libraries
    that ask first (matplotlib) are content with that.
    """
    place = plan["scratch"] if plan["level"] == "full" else "/tmp"
    tempfile.tempdir = None
    os.environ.update(
        HOME=place,
        TMPDIR=place,
        MPLCONFIGDIR=place,
        TORCHINDUCTOR_CACHE_DIR=place,
        USER="student",
        LOGNAME="student",
    )
