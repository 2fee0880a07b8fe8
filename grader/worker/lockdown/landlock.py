"""Runs in the worker. Landlock: what a process may open, for ever.

Three system calls with no libc wrapper. Rights that this kernel's version does
not know are left out; the seccomp filter of the level covers what they stop.
"""

from __future__ import annotations

import ctypes
import os
import stat

from grader.worker.lockdown.libc import (
    LANDLOCK_ADD,
    LANDLOCK_CREATE,
    LANDLOCK_RESTRICT,
    LockdownError,
    syscall,
)

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_CHAR, MAKE_SOCK, MAKE_BLOCK = 1 << 6, 1 << 9, 1 << 11
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
READ = READ_FILE | READ_DIR
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
# No program is ever run: dlopen needs READ_FILE alone.
NEVER_IN_SCRATCH = EXECUTE | MAKE_CHAR | MAKE_BLOCK | MAKE_SOCK | IOCTL_DEV


class _Ruleset(ctypes.Structure):
    _fields_ = [
        ("fs", ctypes.c_uint64),
        ("net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    ]


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("rights", ctypes.c_uint64), ("fd", ctypes.c_int32)]


def version() -> int:
    """The kernel's Landlock ABI; 0 when it has none or has it switched off."""
    try:
        return syscall("Landlock version", LANDLOCK_CREATE, None, 0, 1)
    except LockdownError:
        return 0


def _handled(abi: int) -> tuple[_Ruleset, int]:
    """Everything this version can refuse, and the size of its structure."""
    fs = (1 << 13) - 1
    fs |= (REFER if abi >= 2 else 0) | (TRUNCATE if abi >= 3 else 0)
    fs |= IOCTL_DEV if abi >= 5 else 0
    net = 3 if abi >= 4 else 0  # bind and connect over TCP
    scoped = 3 if abi >= 6 else 0  # abstract sockets and signals
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    return _Ruleset(fs, net, scoped), size


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError as e:
        raise LockdownError(f"Landlock: open {path}", e.errno or 0) from e
    try:
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= FILE_RIGHTS
        rule = _PathRule(rights, fd)
        syscall(
            f"Landlock rule for {path}", LANDLOCK_ADD, ruleset, 1, ctypes.byref(rule), 0
        )
    finally:
        os.close(fd)


def restrict(*, read: list[str], write: list[str], devices: list[str]) -> None:
    """From here on only these paths open; needs NO_NEW_PRIVS.

    Args:
        read: files and directories to read, with all below them.
        write: directories to do everything in but make devices and run programs.
        devices: files to read and write, such as /dev/null.
    """
    abi = version()
    if abi < 1:
        raise LockdownError("Landlock is not available")
    handled, size = _handled(abi)
    ruleset = syscall(
        "Landlock ruleset", LANDLOCK_CREATE, ctypes.byref(handled), size, 0
    )
    try:
        for path in read:
            _allow(ruleset, path, READ)
        for path in write:
            _allow(ruleset, path, handled.fs & ~NEVER_IN_SCRATCH)
        for path in devices:
            _allow(ruleset, path, READ_FILE | WRITE_FILE)
        syscall("Landlock", LANDLOCK_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)
