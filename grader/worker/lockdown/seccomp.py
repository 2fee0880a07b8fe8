"""Runs in zygote (compile) and worker (install). The seccomp filter.

Compiled once by libseccomp, which knows every architecture's numbers; a worker
only writes its own pid into the program and installs it (about 0.3 ms).
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import Any

from grader.worker.lockdown import syscalls
from grader.worker.lockdown.libc import (
    PR_SET_SECCOMP,
    SECCOMP_MODE_FILTER,
    LockdownError,
    prctl,
)

# Stands for the worker's pid, which is known only after the fork.
OWN_PID = 0x5AFE71D0
VARIANTS = ("rw", "ro", "none")
ADVICE = "install the packages pyseccomp (pip) and libseccomp2 (apt)"


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def library() -> Any:
    """The pyseccomp module.

    Raises:
        LockdownError: pyseccomp or libseccomp is missing.
    """
    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError) as e:
        raise LockdownError(f"libseccomp is missing ({e}): {ADVICE}") from e
    return pyseccomp


class _Rules:
    """The few kinds of rule we use; names unknown on this machine are left out.

    A name that libseccomp does not know stays with the default, a refusal.
    """

    def __init__(self) -> None:
        self.lib = library()
        self.filter = self.lib.SyscallFilter(self.lib.ERRNO(errno.ENOSYS))
        self.filter.set_attr(self.lib.Attr.ACT_BADARCH, self.lib.KILL_PROCESS)
        try:  # a binary tree: installing it takes a third of the time
            self.filter.set_attr(self.lib.Attr.CTL_OPTIMIZE, 2)
        except OSError:  # libseccomp before 2.5 has no such attribute
            pass

    def _add(self, action: int, name: str, *args: Any) -> None:
        number = self.lib.resolve_syscall(self.lib.Arch.NATIVE, name)
        if number >= 0:
            self.filter.add_rule(action, number, *args)

    def allow(self, names: tuple[str, ...]) -> None:
        for name in names:
            self._add(self.lib.ALLOW, name)

    def refuse(self, names: tuple[str, ...], number: int) -> None:
        for name in names:
            self._add(self.lib.ERRNO(number), name)

    def grant(self, name: str, *args: Any) -> None:
        """Answer 0, success, and do nothing."""
        self._add(self.lib.ERRNO(0), name, *args)

    def allow_values(self, name: str, index: int, values: tuple[int, ...]) -> None:
        for value in values:
            self._add(self.lib.ALLOW, name, self.lib.Arg(index, self.lib.EQ, value))

    def bits(
        self, name: str, index: int, mask: int, value: int, number: int = 0
    ) -> None:
        """Allow, or answer ``number``, where ``argument & mask == value``."""
        action = self.lib.ERRNO(number) if number else self.lib.ALLOW
        test = self.lib.Arg(index, self.lib.MASKED_EQ, mask, value)
        self._add(action, name, test)


def export(rules: Any) -> bytes:
    """The BPF program of a pyseccomp filter."""
    with os.fdopen(os.memfd_create("bpf"), "w+b", buffering=0) as file:
        rules.export_bpf(file)
        return os.pread(file.fileno(), 1 << 20, 0)


class Filter:
    """A compiled program and the one place in it where the pid belongs."""

    def __init__(self, program: bytes) -> None:
        wanted = struct.pack("=I", OWN_PID)
        places = [
            at + 4
            for at in range(0, len(program), 8)
            if program[at + 4 : at + 8] == wanted
        ]
        if len(places) != 1:
            raise LockdownError("the seccomp filter has no single place for the pid")
        self._pid_at = places[0]
        self._code = bytearray(program)

    def install(self) -> None:
        """Put the filter on this process, for ever; needs NO_NEW_PRIVS."""
        struct.pack_into("=I", self._code, self._pid_at, os.getpid())
        load(self._code)


def load(code: bytearray) -> None:
    """Put a BPF program on this process, for ever."""
    buffer = (ctypes.c_char * len(code)).from_buffer(code)
    loaded = _Program(len(code) // 8, ctypes.addressof(buffer))
    prctl("seccomp", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(loaded))


def compile_filter(variant: str) -> Filter:
    """The filter of a level.

    Args:
        variant: "rw" (inside the jail), "ro" (opens for reading only, where
            Landlock says which) or "none" (no open at all).

    Raises:
        LockdownError: libseccomp is missing or refuses a rule.
    """
    if variant not in VARIANTS:
        raise LockdownError(f"unknown filter {variant!r}")
    try:
        rules = _Rules()
        rules.allow(syscalls.ALWAYS)
        rules.refuse(syscalls.REFUSED, errno.EPERM)
        rules.refuse(syscalls.UNSUPPORTED, errno.ENOTSUP)
        _by_argument(rules)
        _files(rules, variant)
        program = export(rules.filter)
    except OSError as e:
        raise LockdownError("compile the seccomp filter", e.errno or 0) from e
    return Filter(program)


def _by_argument(rules: _Rules) -> None:
    new = syscalls.CLONE_THREAD | syscalls.CLONE_NEW
    rules.bits("clone", 0, new, syscalls.CLONE_THREAD)
    rules.bits("clone", 0, syscalls.CLONE_THREAD, 0, errno.EPERM)
    rules.allow_values("tgkill", 0, (OWN_PID,))
    rules.allow_values("fcntl", 1, syscalls.FCNTL)
    rules.allow_values("fcntl64", 1, syscalls.FCNTL)
    for name in syscalls.GRANTED:
        rules.grant(name)
    for name in ("fcntl", "fcntl64"):
        for value in syscalls.FCNTL_GRANTED:
            rules.grant(name, rules.lib.Arg(1, rules.lib.EQ, value))
    rules.allow_values("ioctl", 1, syscalls.IOCTL)
    rules.allow_values("prctl", 0, syscalls.PRCTL)
    rules.allow_values("getsockopt", 2, syscalls.SOCKET_OPTIONS)
    lib = rules.lib
    own, reading = lib.Arg(0, lib.EQ, 0), lib.Arg(2, lib.EQ, 0)
    rules._add(lib.ALLOW, "prlimit64", own, reading)
    rules._add(lib.ERRNO(errno.EPERM), "prlimit64", lib.Arg(2, lib.NE, 0))


def _files(rules: _Rules, variant: str) -> None:
    if variant == "none":
        closed = syscalls.OPENING + syscalls.READING + syscalls.WRITING
        rules.refuse(closed, errno.EACCES)
        return
    rules.allow(syscalls.READING)
    if variant == "rw":
        rules.allow(syscalls.OPENING + syscalls.WRITING)
        return
    rules.refuse(syscalls.WRITING, errno.EACCES)
    for name, index in (("open", 1), ("openat", 2)):
        rules.bits(name, index, sum(syscalls.WRITE_FLAGS), 0)
        for bit in syscalls.WRITE_FLAGS:
            rules.bits(name, index, bit, bit, errno.EACCES)
