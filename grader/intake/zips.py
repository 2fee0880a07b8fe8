"""Zip files, read by their table of contents and one entry at a time.

``zipfile`` gives up a whole archive when one name has a broken UTF-8 flag, and
trusts the sizes that the archive states. Here a name that is broken costs its
own entry at most, and bytes are counted while they are unpacked.
"""

from __future__ import annotations

import itertools
import stat
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from grader.errors import IntakeError
from grader.intake import entrynames
from grader.intake.limits import Limits
from grader.intake.tree import (
    Entry,
    Tree,
    last_of_each,
    too_big,
    without_full_folders,
)
from grader.intake.words import count, show

_END = struct.Struct("<4s4H2LH")
_END64_LOCATOR = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_CHUNK = 1 << 16
_ENCRYPTED, _UTF8 = 0x1, 0x800


@dataclass(slots=True)
class _Record:
    """What the table of contents says of one entry."""

    raw: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    mode: int
    unicode_name: bytes = b""


def open_zip(file: BinaryIO, label: str, limits: Limits) -> Tree:
    """The tree of a zip file; nothing of its content is read yet.

    Raises:
        IntakeError: it has no table of contents that can be read.
    """
    try:
        records = _Directory(file, label, limits).records()
    except (struct.error, OSError, ValueError) as e:
        raise IntakeError(f"{show(label)} is a broken zip archive ({e}).") from e
    undeclared = [r.raw for r in records if not r.flags & _UTF8 and not r.unicode_name]
    encoding = entrynames.encoding_of(undeclared)
    overlapping = _overlaps(records)
    entries = [_entry(file, r, encoding, id(r) in overlapping, limits) for r in records]
    return Tree(label, without_full_folders(last_of_each(entries)), kind="zip")


class _Directory:
    """The table of contents, with or without the zip64 extension."""

    def __init__(self, file: BinaryIO, label: str, limits: Limits) -> None:
        self.file, self.label, self.limits = file, label, limits

    def records(self) -> list[_Record]:
        total, length, offset, base = self._locate()
        if length > self.limits.directory_bytes or total > self.limits.tree_files:
            raise IntakeError(
                f"{show(self.label)} lists {count(total, 'entry', 'entries')}; "
                f"at most {self.limits.tree_files} are read."
            )
        self.file.seek(base + offset)
        table = self.file.read(length)
        found: list[_Record] = []
        at = 0
        while at + _CENTRAL.size <= len(table) and table[at : at + 4] == b"PK\1\2":
            record, at = _central(table, at)
            record.offset += base
            found.append(record)
            if len(found) > self.limits.tree_files:
                raise IntakeError(f"{show(self.label)} lists too many entries.")
        if len(found) != total & 0xFFFF and len(found) != total:
            raise IntakeError(
                f"{show(self.label)} is a broken zip archive: it promises "
                f"{count(total, 'entry', 'entries')} and lists {len(found)}."
            )
        return found

    def _locate(self) -> tuple[int, int, int, int]:
        """(entries, length, offset, bytes before the archive) of the table."""
        file_size = self.file.seek(0, 2)
        tail_at = max(0, file_size - _END.size - 0xFFFF - _END64_LOCATOR.size)
        self.file.seek(tail_at)
        tail = self.file.read()
        at = tail.rfind(b"PK\5\6")
        if at < 0 or at + _END.size > len(tail):
            raise IntakeError(
                f"{show(self.label)} is not a whole zip archive: its end is missing. "
                "Download it again, or ask for it again."
            )
        _, _, _, _, total, length, offset, _ = _END.unpack_from(tail, at)
        end = tail_at + at
        if at >= _END64_LOCATOR.size and (
            total == 0xFFFF or 0xFFFFFFFF in (length, offset)
        ):
            locator = _END64_LOCATOR.unpack_from(tail, at - _END64_LOCATOR.size)
            mark, _, at64, _ = locator
            if mark == b"PK\6\7":
                self.file.seek(at64)
                fields = _END64.unpack(self.file.read(_END64.size))
                total, length, offset = fields[7], fields[8], fields[9]
                end = at64
        # Bytes in front of the archive (a self-extracting one) shift offsets.
        base = end - length - offset
        if base < 0:
            raise IntakeError(
                f"{show(self.label)} is a broken zip archive: its table of contents "
                "lies outside of it."
            )
        return total, length, offset, base


def _central(table: bytes, at: int) -> tuple[_Record, int]:
    """The record at ``at``, and where the next one begins."""
    fields = _CENTRAL.unpack_from(table, at)
    made_by, flags, method, crc = fields[1], fields[3], fields[4], fields[7]
    packed, size, name_len, extra_len, comment_len = fields[8:13]
    attributes, offset = fields[15], fields[16]
    start = at + _CENTRAL.size
    raw = table[start : start + name_len]
    extra = table[start + name_len : start + name_len + extra_len]
    # The upper half of the attributes is a Unix mode when Unix (or macOS) wrote it.
    mode = attributes >> 16 if made_by >> 8 in (3, 19) else 0
    record = _Record(raw, flags, method, crc, packed, size, offset, mode)
    _apply_extra(record, extra)
    return record, start + name_len + extra_len + comment_len


def _apply_extra(record: _Record, extra: bytes) -> None:
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        body = extra[at + 4 : at + 4 + length]
        at += 4 + length
        if kind == 1:  # zip64: only the fields that did not fit, in this order
            numbers = [n[0] for n in struct.iter_unpack("<Q", body[: len(body) & ~7])]
            for name in ("size", "packed", "offset"):
                if getattr(record, name) == 0xFFFFFFFF and numbers:
                    setattr(record, name, numbers.pop(0))
        elif kind == 0x7075 and len(body) > 5:  # Info-ZIP's Unicode name
            (crc,) = struct.unpack_from("<L", body, 1)
            if crc == zlib.crc32(record.raw):
                record.unicode_name = body[5:]


def _overlaps(records: list[_Record]) -> set[int]:
    """Ids of the records whose bytes run into the next entry (a kind of bomb)."""
    ordered = sorted(records, key=lambda r: r.offset)
    found = set()
    for one, following in itertools.pairwise(ordered):
        if one.offset + _LOCAL.size + len(one.raw) + one.packed > following.offset:
            found.add(id(one))
    return found


def _entry(
    file: BinaryIO, record: _Record, encoding: str, overlaps: bool, limits: Limits
) -> Entry:
    text, note = _name(record, encoding)
    name, refused, slash_note = entrynames.relative(text)
    note = note or slash_note
    if text.endswith(("/", "\\")) or stat.S_ISDIR(record.mode):
        return Entry(name, is_folder=True, refused=refused, note=note)
    refused = refused or _refused(record, overlaps)
    reader = _reader(file, record, limits)
    return Entry(name, reader, record.size, refused=refused, note=note)


def _name(record: _Record, encoding: str) -> tuple[str, str]:
    raw = record.unicode_name or record.raw
    if not (record.flags & _UTF8 or record.unicode_name):
        return entrynames.decode(raw, encoding), entrynames.note_for(raw, encoding)
    try:
        return raw.decode("utf-8"), ""
    except UnicodeDecodeError:
        text = entrynames.decode(raw, "utf-8")
        why = "is marked UTF-8 but is not; it was guessed."
        return text, f"The name of {show(text)} {why}"


def _refused(record: _Record, overlaps: bool) -> str:
    kind = stat.S_IFMT(record.mode)
    if kind == stat.S_IFLNK:
        return "is a link, not a file; it is not read."
    if kind not in (0, stat.S_IFREG):
        return "is a device or a FIFO, not a file; it is not read."
    if record.flags & _ENCRYPTED:
        return "is encrypted; hand it in without a password."
    if record.method not in (0, 8):
        return (
            f"is packed with method {record.method}, which is not read; "
            "make an ordinary zip."
        )
    if overlaps:
        return "overlaps another entry of the archive; it is not read."
    return ""


def _reader(file: BinaryIO, record: _Record, limits: Limits) -> Callable[[int], bytes]:
    def read(limit: int) -> bytes:
        try:
            data = _unpack(file, record, limit, limits)
        except (zlib.error, struct.error, OSError) as e:
            raise IntakeError(f"is damaged in the archive ({e}).") from e
        if zlib.crc32(data) != record.crc:
            raise IntakeError("is damaged in the archive (its checksum is wrong).")
        return data

    return read


def _unpack(file: BinaryIO, record: _Record, limit: int, limits: Limits) -> bytes:
    """The bytes of one entry, counted as they come and never more than ``limit``."""
    file.seek(record.offset)
    header = _LOCAL.unpack(file.read(_LOCAL.size))
    if header[0] != b"PK\3\4":
        raise IntakeError("is damaged: it is not where the archive says.")
    file.seek(header[9] + header[10], 1)
    inflate = zlib.decompressobj(-15) if record.method == 8 else None
    left, taken, out = record.packed, 0, bytearray()
    while left > 0 and not (inflate and inflate.eof):
        chunk = file.read(min(_CHUNK, left))
        if not chunk:
            raise IntakeError("is cut short: the archive ends before it.")
        left -= len(chunk)
        taken += len(chunk)
        while chunk:
            out += inflate.decompress(chunk, _CHUNK) if inflate else chunk
            chunk = inflate.unconsumed_tail if inflate else b""
            if len(out) > limit:
                raise IntakeError(too_big(len(out), limit))
            if len(out) > max(limits.ratio_from_bytes, limits.ratio * taken):
                raise IntakeError(
                    f"unpacks to more than {limits.ratio} times its "
                    "packed size; it is not read."
                )
    if inflate and not inflate.eof:
        raise IntakeError("is cut short in the archive.")
    return bytes(out)
