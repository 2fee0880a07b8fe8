"""The course in memory, and on a node in a folder that nobody else can read.

Suites and solutions never reach a disk that students share: a node keeps them
in memory (/dev/shm), or in a temporary folder on a disk of its own.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

import msgspec

from grader.course import COURSE_FILE, Course
from grader.errors import EnvironmentFault

PARTS = ("suites", "solutions", "mistakes", "quiz")
MEMORY = Path("/dev/shm")
PREFIX = "grader-node-"
LOCK = ".lock"
YOUNG_S = 60.0  # a folder this new may still be on its way to its lock
# File systems that other machines mount as well.
SHARED = (
    "nfs", "cifs", "smb", "lustre", "gpfs", "beegfs", "ceph", "gluster", "afs",
    "9p", "fuse.sshfs", "orangefs", "panfs",
)  # fmt: skip


def pack(course: Course) -> bytes:
    """Everything a session needs, as one piece of bytes."""
    files = {COURSE_FILE: (course.root / COURSE_FILE).read_bytes()}
    for part in PARTS:
        folder = course.folder(part)
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                files[path.relative_to(course.root).as_posix()] = path.read_bytes()
    return msgspec.msgpack.encode(files)


class NodeFolder:
    """A private folder on this node; gone when it is closed.

    A lock that ends with the process tells the folder of a killed one: the next
    to come on this node removes it.
    """

    def __init__(self, files: bytes, base: Path | None = None) -> None:
        base = base or private_base()
        sweep(base)
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))  # mode 0700
        self._lock = os.open(self.path / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for name, data in msgspec.msgpack.decode(files, type=dict[str, bytes]).items():
            path = self.path / name
            if not path.resolve().is_relative_to(self.path.resolve()):
                raise EnvironmentFault(f"the course holds a file outside of it: {name}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)
        with contextlib.suppress(OSError):
            os.close(self._lock)


def sweep(base: Path) -> None:
    """Remove the folders of processes that were killed."""
    for folder in base.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            stat = folder.lstat()
            if stat.st_uid != os.getuid() or time.time() - stat.st_mtime < YOUNG_S:
                continue
            handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder)
            finally:
                os.close(handle)


def private_base() -> Path:
    """Memory where there is any; else a temporary folder on this node's own disk.

    Raises:
        EnvironmentFault: the temporary folder is on a disk that is shared.
    """
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
        return MEMORY
    base = Path(tempfile.gettempdir()).resolve()
    kind = file_system(base, _mounts())
    if kind.startswith(SHARED):
        raise EnvironmentFault(
            f"{base} is on a shared disk ({kind}); set TMPDIR to one of this node, so "
            "that no suite can be read elsewhere."
        )
    return base


def _mounts() -> str:
    try:
        return Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace")
    except OSError:  # no Linux
        return ""


def file_system(path: Path, mounts: str) -> str:
    """The kind of file system that ``path`` lies on, by the longest mount point."""
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) > 2 and path.is_relative_to(fields[1]):
            if len(fields[1]) >= len(best):
                best, kind = fields[1], fields[2]
    return kind
