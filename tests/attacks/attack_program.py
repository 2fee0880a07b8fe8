"""A program: a real session on a host that is poorer, another user's, or weakened.

    python attack_program.py --course DIR --isolation LEVEL
        [--without NAME,...] [--user UID] [--weak]

Without options it is ``python -m grader.session`` itself.
"""

import argparse
import ctypes
import os
import stat
import sys
from pathlib import Path

from grader.worker.lockdown import libc, pretend

AT_FDCWD, AT_RECURSIVE, OPEN_TREE_CLONE, EMPTY_PATH = -100, 0x8000, 1, 4


def closed_ancestor(path: Path) -> Path | None:
    """The outermost folder on the way to ``path`` that other users cannot enter."""
    for folder in [*reversed(path.parents), path]:
        if not folder.stat().st_mode & stat.S_IXOTH:
            return folder
    return None


def open_up(path: Path) -> None:
    """In this process's own mounts: let every user reach ``path`` by its name."""
    closed = closed_ancestor(path)
    if closed is None:
        return
    flags = OPEN_TREE_CLONE | os.O_CLOEXEC | AT_RECURSIVE
    tree = libc.syscall("open tree", libc.OPEN_TREE, AT_FDCWD, str(path), flags)
    libc.mount("cover", "open", str(closed), "tmpfs", 0, "size=1m,mode=755")
    path.mkdir(parents=True)
    libc.syscall(
        "move mount", libc.MOVE_MOUNT, tree, "", AT_FDCWD, str(path), EMPTY_PATH
    )


def become(uid: int) -> None:
    """An ordinary user who can reach this interpreter and this checkout."""
    libc.call("own mounts", "unshare", libc.CLONE_NEWNS)
    libc.mount("private", "", "/", "", libc.MS_REC | libc.MS_PRIVATE, "")
    here = Path(__file__).resolve().parents[2]
    for path in (sys.base_prefix, sys.prefix, here):
        open_up(Path(path).resolve())
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--course", required=True)
    parser.add_argument("--isolation", default="none")
    parser.add_argument("--without", default="")
    parser.add_argument("--user", type=int)
    parser.add_argument("--weak", action="store_true")
    options = parser.parse_args()
    if options.user is not None and os.geteuid() != options.user:
        become(options.user)
        # Run anew: a process that changed its identity may not read its own /proc.
        os.execv(sys.executable, [sys.executable, *sys.argv])
    if options.without:
        ctypes.CDLL(None)
        pretend.without(set(options.without.split(",")))
    arguments = ["--course", options.course, "--isolation", options.isolation]
    if options.weak:
        import attack_weaken

        return attack_weaken.serve(Path(options.course))
    from grader.session.__main__ import main as session

    return session(arguments)


if __name__ == "__main__":
    sys.exit(main())
