"""Runs in the worker. Resource limits, identity and privileges.

Limits are the only stop for memory and thread bombs; the other layers make
sure that nothing lies outside what the limits count.
"""

from __future__ import annotations

import ctypes
import os
import resource
from typing import Any

from grader.worker.lockdown.libc import (
    PR_CAPBSET_DROP,
    PR_CAPBSET_READ,
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    LockdownError,
    call,
    prctl,
)

MIB = 1 << 20
SIGKILL = 9
THREADS = 64
FILE_MIB = 32
DESCRIPTORS = 128


def address_space() -> int | None:
    """Bytes of address space in use; None where /proc does not tell."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


def set_limits(
    plan: dict[str, Any], used: int | None, cpu_s: int, memory_mib: int, *, strict: bool
) -> None:
    """Set every limit that the plan's level can bear.

    Args:
        plan: "nproc" says whether processes can be counted for this worker
            alone (an own uid or user namespace), else other programs of the
            same user would count too.
        used: bytes of address space that the zygote needs by itself.
        cpu_s: CPU seconds until SIGXCPU; SIGKILL follows one second later.
        memory_mib: address space beyond ``used``.
        strict: raise when a limit cannot be set.
    """
    limits: list[tuple[str, int, int]] = [
        ("RLIMIT_CPU", cpu_s, cpu_s + 1),
        ("RLIMIT_FSIZE", FILE_MIB * MIB, FILE_MIB * MIB),
        ("RLIMIT_NOFILE", DESCRIPTORS, DESCRIPTORS),
        ("RLIMIT_CORE", 0, 0),
        ("RLIMIT_MEMLOCK", 0, 0),
        ("RLIMIT_MSGQUEUE", 0, 0),
        ("RLIMIT_RTPRIO", 0, 0),
        ("RLIMIT_NICE", 0, 0),
        ("RLIMIT_SIGPENDING", 64, 64),
    ]
    if used is not None:
        space = used + memory_mib * MIB
        limits.append(("RLIMIT_AS", space, space))
    if plan.get("nproc"):
        limits.append(("RLIMIT_NPROC", THREADS, THREADS))
    for name, soft, hard in limits:
        _set_limit(name, soft, hard, strict)


def _set_limit(name: str, soft: int, hard: int, strict: bool) -> None:
    number = getattr(resource, name, None)
    if number is None:  # not on this system (macOS has fewer)
        if strict:
            raise LockdownError(f"this system has no {name}")
        return
    ceiling = resource.getrlimit(number)[1]
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    try:
        resource.setrlimit(number, (soft, hard))
    except (OSError, ValueError) as e:
        if strict:
            raise LockdownError(f"limit {name}: {e}") from e


def die_with_parent() -> None:
    """SIGKILL when the thread that forked us ends; setresuid clears it."""
    prctl("parent death signal", PR_SET_PDEATHSIG, SIGKILL)


def become(uid: int | None, gid: int | None) -> None:
    """Give up every capability and, where the plan says so, our identity."""
    if uid is not None:
        gid = uid if gid is None else gid
        try:
            os.setgroups([])
            os.setresgid(gid, gid, gid)
            os.setresuid(uid, uid, uid)
        except OSError as e:
            raise LockdownError(f"become uid {uid}", e.errno or 0) from e
    elif os.geteuid() == 0:
        try:
            os.setgroups([])
        except OSError:  # a user namespace of our own denies it: nothing to drop
            pass
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    data = (ctypes.c_uint32 * 6)()
    call("drop capabilities", "capset", header, data)


def empty_bounding_set() -> None:
    """In the zygote, once: its workers inherit that no program regains anything.

    It keeps what it holds itself. Without CAP_SETPCAP there is nothing to do:
    NO_NEW_PRIVS of the worker covers it.
    """
    for capability in range(64):
        try:
            if prctl("bounding set", PR_CAPBSET_READ, capability) == 0:
                continue
            prctl("bounding set", PR_CAPBSET_DROP, capability)
        except LockdownError:  # EINVAL: past the last one; EPERM: not ours to drop
            return


def no_way_back() -> None:
    """No set-uid program helps from here, and no one of our uid may look in."""
    prctl("NO_NEW_PRIVS", PR_SET_NO_NEW_PRIVS, 1)
    prctl("not dumpable", PR_SET_DUMPABLE, 0)
