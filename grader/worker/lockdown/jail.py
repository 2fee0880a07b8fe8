"""Runs in the zygote. Namespaces, and a file tree that holds the allow-list.

Nothing is hidden here; what is not put into the new tree does not exist in it.
Every source is opened before the first mount, so that a path below /tmp or in
a closed home directory can be part of the tree as well.
"""

from __future__ import annotations

import ctypes
import os
import signal
import stat
from typing import Any

from grader.worker.lockdown import libc
from grader.worker.lockdown.libc import LockdownError, close_all_but, mount, syscall
from grader.worker.lockdown.limits import die_with_parent

DEVICES = ("null", "zero", "full", "random", "urandom")
AT_FDCWD, AT_EMPTY_PATH, AT_RECURSIVE = -100, 0x1000, 0x8000
OPEN_TREE_CLONE, OPEN_TREE_CLOEXEC = 1, os.O_CLOEXEC
MOVE_MOUNT_F_EMPTY_PATH = 4
RDONLY, NOSUID, NODEV, NOEXEC = 1, 2, 4, 8
SESSIONS = 256  # of one batch: each has an identity, see ``stand_beside``
NAMESPACES = (
    libc.CLONE_NEWNS
    | libc.CLONE_NEWNET
    | libc.CLONE_NEWIPC
    | libc.CLONE_NEWUTS
    | libc.CLONE_NEWCGROUP
    | libc.CLONE_NEWPID
)


class _Attributes(ctypes.Structure):
    _fields_ = [(n, ctypes.c_uint64) for n in ("add", "clear", "propagation", "userns")]


def enter(plan: dict[str, Any]) -> int:
    """Move this process into the jail; returns in a child that is its pid 1.

    The caller's process waits for that child and ends as it ends.
    """
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        raise LockdownError(f"the zygote has {threads} threads; it must have 1")
    _unshare(own_user=plan["userns"])
    child = os.fork()
    if child:
        _wait_and_end(child)
    die_with_parent()
    mount("private mounts", "", "/", "", libc.MS_REC | libc.MS_PRIVATE, "")
    _build(plan)
    return os.getpid()


def _unshare(*, own_user: bool) -> None:
    uid, gid = os.geteuid(), os.getegid()
    libc.call(
        "unshare", "unshare", NAMESPACES | (libc.CLONE_NEWUSER if own_user else 0)
    )
    if not own_user:
        return
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {uid} 1"),
        ("gid_map", f"{gid} {gid} 1"),
    ):
        try:
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
        except OSError as e:
            raise LockdownError(f"write {name}", e.errno or 0) from e


def _wait_and_end(child: int) -> None:
    """The outer half: holds no descriptor, ends with the child's status."""
    close_all_but(set())
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _set_attributes(fd: int, path: str, add: int, flags: int) -> None:
    attributes = _Attributes(add, 0, 0, 0)
    syscall(
        "mount attributes", libc.MOUNT_SETATTR, fd, path, flags,
        ctypes.byref(attributes), ctypes.sizeof(attributes),
    )  # fmt: skip


def _open_tree(path: str, add: int) -> int:
    recursive = AT_RECURSIVE if os.path.isdir(path) else 0
    flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | recursive
    fd = syscall(f"open tree {path}", libc.OPEN_TREE, AT_FDCWD, path, flags)
    _set_attributes(fd, "", add, AT_EMPTY_PATH | recursive)
    return fd


def _outermost(paths: list[str]) -> list[str]:
    """Drop what lies below another path of the list."""
    kept: list[str] = []
    for path in sorted(set(paths)):
        if not any(path.startswith(top.rstrip("/") + "/") for top in kept):
            kept.append(path)
    return kept


def _build(plan: dict[str, Any]) -> None:
    real = _outermost([os.path.realpath(path) for path in plan["read_paths"]])
    sources = [(path, _open_tree(path, RDONLY | NOSUID | NODEV)) for path in real]
    devices = [f"/dev/{name}" for name in DEVICES if os.path.exists(f"/dev/{name}")]
    sources += [(path, _open_tree(path, NOSUID | NOEXEC)) for path in devices]
    base = next(path for path in ("/tmp", "/mnt", "/var") if os.path.isdir(path))
    flags = libc.MS_NOSUID | libc.MS_NODEV
    mount("jail root", "jail", base, "tmpfs", flags, "size=1m,nr_inodes=2k,mode=755")
    os.chdir(base)
    old_umask = os.umask(0o022)
    for path, fd in sources:
        _place(path, fd)
    for path in plan["read_paths"]:
        _link(path)
    _small_files(plan)
    os.umask(old_umask)
    _set_attributes(AT_FDCWD, ".", RDONLY | NOSUID | NODEV, 0)
    libc.call("pivot_root", "pivot_root", ".", ".")
    libc.call("leave the old root", "umount2", ".", libc.MNT_DETACH)
    os.chdir("/")


def _place(path: str, fd: int) -> None:
    """Mount the opened source ``fd`` at ``path`` of the new tree (our cwd)."""
    target = path.lstrip("/")
    if stat.S_ISDIR(os.fstat(fd).st_mode):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
        with open(target, "ab"):
            pass
    syscall(
        f"move mount {path}", libc.MOVE_MOUNT, fd, "", AT_FDCWD, target,
        MOVE_MOUNT_F_EMPTY_PATH,
    )  # fmt: skip
    os.close(fd)


def _link(path: str) -> None:
    """Keep the name ``path`` alive where it reached its target over a link."""
    real, target = os.path.realpath(path), path.lstrip("/")
    if real == path or os.path.lexists(target):
        return
    os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
    os.symlink(real, target)


def _small_files(plan: dict[str, Any]) -> None:
    scratch = plan["scratch"].lstrip("/")
    for path in (scratch, "dev/shm", "etc"):
        os.makedirs(path, exist_ok=True)
    uid = os.geteuid() if plan["uid"] is None else plan["uid"]
    gid = os.getegid() if plan["gid"] is None else plan["gid"]
    users = range(uid, uid + (1 if plan["uid"] is None else SESSIONS))
    texts = {
        "passwd": "".join(
            f"student:x:{n}:{gid}::/{scratch}:/bin/false\n" for n in users
        ),
        "group": f"student:x:{gid}:\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
    for name, text in texts.items():
        with open(f"etc/{name}", "w", encoding="ascii") as file:
            file.write(text)
    if not os.path.lexists("tmp"):
        os.symlink(f"/{scratch}", "tmp")


def mount_scratch(plan: dict[str, Any]) -> None:
    """In the worker: a mount namespace with a scratch that dies with it."""
    libc.call("unshare mounts", "unshare", libc.CLONE_NEWNS)
    uid = os.geteuid() if plan["uid"] is None else plan["uid"]
    gid = os.getegid() if plan["gid"] is None else plan["gid"]
    flags = libc.MS_NOSUID | libc.MS_NODEV | libc.MS_NOEXEC
    for path, mib in (
        (plan["scratch"], plan["scratch_mib"]),
        ("/dev/shm", plan["shm_mib"]),
    ):
        options = f"size={mib}m,nr_inodes=1k,mode=700,uid={uid},gid={gid}"
        mount(f"scratch {path}", "scratch", path, "tmpfs", flags, options)
