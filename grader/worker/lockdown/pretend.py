"""Runs in a trial or a test. Make this host poorer than it is.

A filter that lets everything pass but refuses what another host refuses, with
the same errno: so the way down the ladder is walked on a machine that has all.
"""

from __future__ import annotations

import errno
import sys
from typing import Any

from grader.worker.lockdown import libc, seccomp
from grader.worker.lockdown.libc import prctl

MOUNTS = (
    "unshare setns mount umount2 pivot_root open_tree move_mount fsopen fsmount "
    "fsconfig fspick mount_setattr"
).split()
LANDLOCK = ("landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self")
# The capabilities that Docker leaves to root: chown, dac_override, fowner, fsetid,
# kill, setgid, setuid, setpcap, net_bind_service, net_raw, sys_chroot, mknod,
# audit_write, setfcap.
DOCKER_CAPABILITIES = frozenset({0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31})
WITHOUT = frozenset(
    {"namespaces", "userns", "landlock", "seccomp", "libseccomp", "setuid", "docker"}
)


def without(names: set[str]) -> None:
    """From here on, for this process and its children, as if these were missing.

    Args:
        names: "namespaces" (unshare and mounts refused), "userns" (user
            namespaces refused), "landlock" (not in the kernel), "seccomp" (the
            kernel takes no filter), "libseccomp" (not installed), "setuid" (no
            other identity), "docker" (namespaces, and Docker's capabilities).
    """
    unknown = names - WITHOUT
    if unknown:
        raise ValueError(f"cannot do without {', '.join(sorted(unknown))}")
    if "docker" in names:
        _docker_capabilities()
    if names - {"libseccomp"}:
        prctl("NO_NEW_PRIVS", libc.PR_SET_NO_NEW_PRIVS, 1)
        seccomp.load(_filter(names))
    if "libseccomp" in names:
        sys.modules["pyseccomp"] = None  # type: ignore[assignment]


def _filter(names: set[str]) -> bytearray:
    lib = seccomp.library()
    rules = lib.SyscallFilter(lib.ALLOW)

    def refuse(name: str, number: int, *args: Any) -> None:
        found = lib.resolve_syscall(lib.Arch.NATIVE, name)
        if found >= 0:
            rules.add_rule(lib.ERRNO(number), found, *args)

    def bit(index: int, mask: int) -> Any:
        return lib.Arg(index, lib.MASKED_EQ, mask, mask)

    if names & {"namespaces", "docker"}:
        for name in MOUNTS:
            refuse(name, errno.EPERM)
    elif "userns" in names:
        refuse("unshare", errno.EPERM, bit(0, libc.CLONE_NEWUSER))
    if "landlock" in names:
        for name in LANDLOCK:
            refuse(name, errno.ENOSYS)
    if "setuid" in names:
        refuse("setresuid", errno.EPERM)
    if "seccomp" in names:
        refuse("prctl", errno.EINVAL, lib.Arg(0, lib.EQ, libc.PR_SET_SECCOMP))
        refuse("seccomp", errno.EINVAL)
    return bytearray(seccomp.export(rules))


def _docker_capabilities() -> None:
    """Keep Docker's set alone; an ordinary user has none to lose."""
    import ctypes

    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    data = (ctypes.c_uint32 * 6)()
    libc.call("capabilities", "capget", header, data)
    kept = sum(1 << number for number in DOCKER_CAPABILITIES)
    for place in range(3):  # effective, permitted, inheritable: low words
        data[place] &= kept
        data[place + 3] = 0
    libc.call("capabilities", "capset", header, data)
