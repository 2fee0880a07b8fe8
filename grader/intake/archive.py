"""Archives of any kind, told apart by their bytes and not by their names."""

from __future__ import annotations

import io
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from grader.errors import IntakeError
from grader.intake.limits import Limits
from grader.intake.tars import open_tar
from grader.intake.tree import Tree
from grader.intake.words import show
from grader.intake.zips import open_zip

SUFFIXES = (".tar.gz", ".tar.bz2", ".tar.xz", ".zip", ".tar", ".tgz", ".rar", ".7z")
_MADE_OTHERWISE = {
    b"Rar!": "a rar archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"BZh": "packed with bzip2",
    b"\xfd7zXZ": "packed with xz",
}


def is_archive(name: str) -> bool:
    """True when a file of this name is opened (or refused) as an archive."""
    return name.lower().endswith(SUFFIXES)


def stem(name: str) -> str:
    """``lee.tar.gz`` -> ``lee``."""
    for suffix in SUFFIXES:
        if name.lower().endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)]
    return name


def open_bytes(data: bytes, name: str, limits: Limits) -> Tree:
    """The tree of an archive that is in memory.

    Raises:
        IntakeError: it is no zip, tar or tar.gz, or is broken.
    """
    return open_file(io.BytesIO(data), name, limits)


def open_path(path: Path, limits: Limits, stack: ExitStack) -> Tree:
    """The tree of an archive on disk, readable until ``stack`` closes the file.

    Raises:
        IntakeError: it is no zip, tar or tar.gz, or is broken.
    """
    try:
        file = stack.enter_context(path.open("rb"))
    except OSError as e:
        raise IntakeError(f"{show(str(path))} cannot be read: {e.strerror}.") from e
    return open_file(file, path.name, limits)


def open_file(file: BinaryIO, name: str, limits: Limits) -> Tree:
    """The tree of an open archive.

    Raises:
        IntakeError: it is no zip, tar or tar.gz, or is broken.
    """
    file.seek(0)
    head = file.read(512)
    if not head:
        raise IntakeError(f"{show(name)} is empty (0 bytes); pack it again.")
    for magic, what in _MADE_OTHERWISE.items():
        if head.startswith(magic):
            raise IntakeError(
                f"{show(name)} is {what}; only zip, tar and tar.gz are read. "
                "Pack it again as zip."
            )
    is_tar = head.startswith(b"\x1f\x8b") or head[257:262] == b"ustar"
    if is_tar or (not head.startswith(b"PK") and name.lower().endswith(".tar")):
        tree = open_tar(file, name, limits)
    elif head.startswith(b"PK") or name.lower().endswith(".zip"):
        tree = open_zip(file, name, limits)
    else:
        raise IntakeError(f"{show(name)} is not an archive, whatever its name says.")
    return tree
