"""Runs in zygote and worker. The system calls that Python has no name for.

Numbers from 424 on are the same on every architecture; older ones go through
libc, which knows its own.
"""

from __future__ import annotations

import ctypes
import errno
import os
from typing import Any

libc = ctypes.CDLL(None, use_errno=True)

OPEN_TREE, MOVE_MOUNT, CLOSE_RANGE, MOUNT_SETATTR = 428, 429, 436, 442
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP = 1, 4, 22
PR_CAPBSET_READ, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 23, 24, 38
SECCOMP_MODE_FILTER = 2

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS = 0x20000, 0x2000000, 0x4000000
CLONE_NEWIPC, CLONE_NEWUSER = 0x8000000, 0x10000000
CLONE_NEWPID, CLONE_NEWNET = 0x20000000, 0x40000000

MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 2, 4, 8, 0x4000, 1 << 18
MNT_DETACH = 2


class LockdownError(Exception):
    """A step of the lock-down failed, so no student code may run.

    Owner: the machine. Seen by: the TA. Points: nothing is graded.
    """

    def __init__(self, step: str, number: int = 0) -> None:
        self.number = number
        text = f"{step}: {os.strerror(number)}" if number else step
        super().__init__(text)


def failed(step: str) -> LockdownError:
    """The error of the C call that has just returned -1."""
    return LockdownError(step, ctypes.get_errno())


def _argument(value: Any) -> Any:
    if isinstance(value, str):
        return ctypes.c_char_p(os.fsencode(value))
    return ctypes.c_long(value) if isinstance(value, int) else value


def call(step: str, name: str, *args: Any) -> int:
    """Call a libc function; negative results raise, named after ``step``."""
    function = getattr(libc, name, None)
    if function is None:
        raise LockdownError(step, errno.ENOSYS)
    result: int = function(*map(_argument, args))
    if result < 0:
        raise failed(step)
    return result


def syscall(step: str, number: int, *args: Any) -> int:
    """A system call by number; negative results raise, named after ``step``."""
    return call(step, "syscall", number, *args)


def prctl(step: str, option: int, *args: Any) -> int:
    """``prctl`` with its unused arguments set to 0, as the kernel insists."""
    padded = [*args, 0, 0, 0, 0][:4]
    return call(step, "prctl", option, *padded)


def mount(step: str, source: str, target: str, kind: str, flags: int, data: str) -> int:
    """``mount`` with an empty text standing for a null pointer."""
    texts = [text if text else None for text in (source, target, kind, data)]
    return call(step, "mount", texts[0], texts[1], texts[2], flags, texts[3])


def close_all_but(keep: set[int]) -> None:
    """Close every descriptor that is not in ``keep``."""
    low = 0
    for fd in [*sorted(keep), 0xFFFFFFFF]:
        if fd > low:
            _close_range(low, fd - 1)
        low = fd + 1


def _close_range(low: int, high: int) -> None:
    try:
        syscall("close descriptors", CLOSE_RANGE, low, high, 0)
    except LockdownError:  # kernels before 5.9
        os.closerange(low, min(high, os.sysconf("SC_OPEN_MAX")) + 1)
