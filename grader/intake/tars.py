"""Tar files, plain (read on demand) and gzipped (one pass, in memory)."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zlib
from collections.abc import Callable
from typing import BinaryIO, cast

from grader.errors import IntakeError
from grader.intake import entrynames
from grader.intake.limits import MIB, Limits
from grader.intake.tree import Entry, Tree, last_of_each, too_big, without_full_folders
from grader.intake.words import show

# What a hand-in can be made of; of a gzipped tar nothing else is kept.
_KEPT = tuple(".py .ipynb .toml .zip .tar .gz .tgz .txt .yml .yaml".split())
_BROKEN = (tarfile.TarError, zlib.error, EOFError, OSError, IntakeError)
_MOST_AT_ONCE = 8 * MIB  # tarfile reads the long names in one piece: 8 MiB is plenty


class _Guarded:
    """A file that ends with a message once too much was read or unpacked.

    tarfile steps back by one byte before each header. In a gzip stream that
    would mean to unpack all of it again, so the last byte is kept.
    """

    def __init__(self, file: BinaryIO, label: str, limit: int) -> None:
        self.file, self.label, self.limit = file, label, limit
        self.last = b""
        self.stepped_back = False

    def read(self, number: int = -1) -> bytes:
        if number < 0 or number > _MOST_AT_ONCE or self.file.tell() > self.limit:
            raise self._too_much()
        if self.stepped_back and number:
            self.stepped_back = False
            return self.last + self.file.read(number - 1)
        data = self.file.read(number)
        self.last = data[-1:] or self.last
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence == 0 and offset > self.limit:
            raise self._too_much()
        here = self.file.tell()
        self.stepped_back = bool(self.last) and whence == 0 and offset == here - 1
        if not self.stepped_back and (whence, offset) != (0, here):
            # The byte in front of the new place is not known any more.
            self.last = b""
            return self.file.seek(offset, whence)
        return offset

    def tell(self) -> int:
        return self.file.tell() - self.stepped_back

    def _too_much(self) -> IntakeError:
        return IntakeError(f"{show(self.label)} unpacks to too much")


def open_tar(file: BinaryIO, label: str, limits: Limits) -> Tree:
    """The tree of a tar or tar.gz file; a damaged end costs only what is behind it.

    Raises:
        IntakeError: not even one entry can be read.
    """
    file.seek(0)
    packed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    raw = cast(BinaryIO, gzip.GzipFile(fileobj=file)) if packed else file
    limit = limits.stream_bytes if packed else 1 << 62
    reader = _TarReader(_Guarded(raw, label, limit), label, packed, limits)
    entries = reader.entries()
    if not entries and reader.fault:
        raise IntakeError(f"{show(label)} is a broken tar archive ({reader.fault}).")
    tree = Tree(label, without_full_folders(last_of_each(entries)), kind="tar")
    if reader.fault:
        tree.lost.append(
            f"{show(label)} is damaged or cut short ({reader.fault}): what comes after "
            f"{show(entries[-1].name)} is lost. Get it again."
        )
    return tree


class _TarReader:
    def __init__(
        self, file: _Guarded, label: str, packed: bool, limits: Limits
    ) -> None:
        self.file, self.label, self.packed, self.limits = file, label, packed, limits
        self.kept = 0
        self.fault = ""

    def entries(self) -> list[Entry]:
        found: list[Entry] = []
        try:
            # ignore_zeros stays off: it would resynchronise inside a student's file.
            with tarfile.open(
                fileobj=cast(BinaryIO, self.file), mode="r:", errors="surrogateescape"
            ) as tar:
                while (member := tar.next()) is not None:
                    found.append(self._entry(member))
                    self._load(member, found[-1])
                    if len(found) > self.limits.tree_files:
                        raise IntakeError("it lists too many entries")
        except _BROKEN as e:
            self.fault = str(e).rstrip(".") or type(e).__name__
        except (ValueError, OverflowError, MemoryError, AttributeError, TypeError) as e:
            # Hostile headers reach int(), pax parsing and seek() inside tarfile.
            self.fault = f"{type(e).__name__} in a header"
        return found

    def _entry(self, member: tarfile.TarInfo) -> Entry:
        raw = os.fsencode(member.name)
        encoding = entrynames.encoding_of([raw])
        name, refused, note = entrynames.relative(entrynames.decode(raw, encoding))
        note = note or entrynames.note_for(raw, encoding)
        if member.isdir():
            return Entry(name, is_folder=True, refused=refused, note=note)
        refused = refused or _refused(member)
        time = float(member.mtime) if 0 < member.mtime < 1 << 34 else None
        return Entry(name, None, max(0, member.size), time, refused, note)

    def _load(self, member: tarfile.TarInfo, entry: Entry) -> None:
        """Give ``entry`` its reader; a file that the archive lost says so itself."""
        if entry.is_folder or entry.refused:
            return
        try:
            entry.reader = self._reader(member, entry)
        except _BROKEN:
            entry.refused = "is lost: the archive is damaged or cut short in it."
            raise

    def _reader(
        self, member: tarfile.TarInfo, entry: Entry
    ) -> Callable[[int], bytes] | None:
        if not self.packed:
            return _on_demand(self.file, member.offset_data, member.size)
        if not entry.name.lower().endswith(_KEPT):
            return _constant(b"")
        if member.size > self.limits.archive_bytes:
            entry.refused = too_big(member.size, self.limits.archive_bytes)
            return None
        self.kept += member.size
        if self.kept > self.limits.packed_tar_bytes:
            entry.refused = (
                f"is not read: {show(self.label)} holds too much to "
                "unpack in memory. Unpack it and grade the folder."
            )
            return None
        self.file.seek(member.offset_data)
        return _constant(_exactly(self.file, member.size))


def _refused(member: tarfile.TarInfo) -> str:
    if member.issym() or member.islnk():
        return "is a link, not a file; it is not read."
    if not member.isreg():
        return "is a device or a FIFO, not a file; it is not read."
    if member.issparse():
        return "is a sparse file; it is not read."
    return ""


def _constant(data: bytes) -> Callable[[int], bytes]:
    return lambda limit: data


def _on_demand(file: _Guarded, offset: int, length: int) -> Callable[[int], bytes]:
    def read(limit: int) -> bytes:
        file.seek(offset)
        return _exactly(file, length)

    return read


def _exactly(file: _Guarded, length: int) -> bytes:
    out = io.BytesIO()
    while out.tell() < length:
        chunk = file.read(min(1 << 16, length - out.tell()))
        if not chunk:
            raise IntakeError("is cut short: the archive ends before it.")
        out.write(chunk)
    return out.getvalue()
