"""One view of a folder, a zip and a tar: names, and bytes read on demand."""

from __future__ import annotations

import dataclasses
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import IntakeError
from grader.intake import entrynames
from grader.intake.limits import Limits
from grader.intake.words import count, show, size

JUNK_FOLDERS = frozenset(
    ".git .hg .svn .idea .vscode .ipynb_checkpoints .pytest_cache .mypy_cache "
    ".ruff_cache __MACOSX __pycache__ .venv venv node_modules site-packages".split()
)
_GRADEBOOK = "gradebook.sqlite"  # lies in every folder that was graded into
_JUNK_FILE = r"\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*|~\$[^/]*|[^/]*\.py[cod]"
_JUNK = re.compile(
    rf"(?:^|/)(?:(?:{'|'.join(map(re.escape, JUNK_FOLDERS))})/|(?:{_JUNK_FILE})$)"
)
# O_NONBLOCK: opening a FIFO that came in since would hang for ever.
_OPEN_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)


@dataclass(slots=True)
class Entry:
    """One name in a tree.

    ``name`` is relative, with ``/`` between its parts and neither ``..`` nor
    surrogates, whatever stood in the archive. ``refused`` says why it cannot
    be read, in words that follow its name; ``reader`` raises IntakeError with
    such words as well. ``note`` is a sentence on a guess that was made. ``time``
    is in seconds since 1970, None when the container does not know it for sure.
    """

    name: str
    reader: Callable[[int], bytes] | None = None
    size: int = 0
    time: float | None = None
    refused: str = ""
    note: str = ""
    is_folder: bool = False
    order: int = 0  # a number that grows with each resubmission, when known
    alias: str = ""  # the name without what the layout added to it

    def read(self, limit: int) -> bytes:
        """All bytes of the entry.

        Raises:
            IntakeError: it is refused, broken, or longer than ``limit``.
        """
        try:
            if self.refused or self.reader is None:
                raise IntakeError(self.refused or "is not a file.")
            if self.size > limit:
                raise IntakeError(too_big(self.size, limit))
            return self.reader(limit)
        except IntakeError as e:
            raise IntakeError(f"{show(self.name)} {e}") from e

    @property
    def refusal(self) -> str:
        """The sentence why it cannot be read, empty when it can."""
        return f"{show(self.name)} {self.refused}" if self.refused else ""

    @property
    def base(self) -> str:
        """The last part of the name."""
        return self.name.rpartition("/")[2]

    @property
    def called(self) -> str:
        """The name that says which exercise it is."""
        return self.alias or self.name


@dataclass
class Tree:
    """A container of entries. ``folder`` is set for a folder on disk.

    ``lost`` are sentences on what is not among the entries, whosever it was.
    """

    label: str
    entries: list[Entry] = field(default_factory=list)
    folder: Path | None = None
    kind: str = "folder"  # "folder" | "zip" | "tar" | "file"
    lost: list[str] = field(default_factory=list)

    def groups(self) -> dict[str, list[Entry]]:
        """Top folder -> its entries, names still whole; root files are left out."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            top, slash, _ = entry.name.partition("/")
            if slash or entry.is_folder:
                found.setdefault(top, []).append(entry)
        return found

    def root_files(self) -> list[Entry]:
        """The entries that lie directly in the tree."""
        return [e for e in self.entries if "/" not in e.name and not e.is_folder]

    def without_junk(self) -> Tree:
        """The tree without what systems and editors leave behind."""
        kept = [e for e in self.entries if not is_junk(e.name)]
        return dataclasses.replace(self, entries=kept)

    def below(self, top: str, group: list[Entry] | None = None) -> Tree:
        """The tree of one top folder, with names made relative to it.

        ``group`` is its part of ``groups()``: with thousands of students, looking
        through all entries for each of them would take minutes.
        """
        inside = [
            dataclasses.replace(e, name=e.name[len(top) + 1 :])
            for e in (self.entries if group is None else group)
            if e.name.startswith(top + "/")
        ]
        folder = self.folder / top if self.folder else None
        return Tree(top, inside, folder, self.kind)


def too_big(is_bytes: int, limit: int) -> str:
    """What is said of a file past its limit, after its name."""
    return f"is too big ({size(is_bytes)}; at most {size(limit)})."


def is_junk(name: str) -> bool:
    """True for what an operating system or an editor left behind."""
    return _JUNK.search(name) is not None


def junk_label(name: str) -> str:
    """The one line that stands for all junk at the same place."""
    parts = name.split("/")
    for i, part in enumerate(parts[:-1]):
        if part in JUNK_FOLDERS:
            return "/".join(parts[: i + 1]) + "/"
    return name


def without_full_folders(entries: Iterable[Entry]) -> list[Entry]:
    """``entries`` in which only empty folders still have an entry of their own."""
    entries = list(entries)
    parents: set[str] = set()
    for entry in entries:
        parent = entry.name.rpartition("/")[0]
        while parent and parent not in parents:
            parents.add(parent)
            parent = parent.rpartition("/")[0]
    return [e for e in entries if not e.is_folder or e.name not in parents]


def last_of_each(entries: Iterable[Entry]) -> list[Entry]:
    """``entries`` of an archive with each name once: the last, as unpacking leaves it.

    Names that are refused were changed to be shown and stand for nobody else's.
    """
    kept: dict[str | int, Entry] = {}
    times: dict[str, int] = {}
    for number, entry in enumerate(entries):
        if entry.refused or entry.is_folder:
            kept[number] = entry
            continue
        times[entry.name] = times.get(entry.name, 0) + 1
        kept.pop(entry.name, None)
        kept[entry.name] = entry
    for name, often in times.items():
        if often > 1:
            kept[name].note = kept[name].note or (
                f"{show(name)} is {often} times in its archive; the last one is used, "
                "as unpacking would leave it."
            )
    return list(kept.values())


def from_disk(folder: Path, limits: Limits) -> Tree:
    """The tree of a folder on disk; links are named, never followed.

    Raises:
        IntakeError: the folder itself cannot be listed.
    """
    try:
        os.scandir(folder).close()
    except OSError as e:
        raise IntakeError(f"{show(str(folder))} cannot be listed: {e.strerror}.") from e
    walk = _Walk(limits)
    entries = without_full_folders(walk.folder(folder, "", 0, ""))
    label, _ = entrynames.from_os(folder.resolve().name or "submissions")
    return Tree(label, entries, folder, lost=walk.left_out)


def from_file(path: Path | str, name: str) -> Entry:
    """The entry of one file on disk, not opened yet."""
    try:
        status = os.lstat(path)
    except OSError as e:
        return Entry(name, refused=f"cannot be read: {e.strerror}.")
    if not stat.S_ISREG(status.st_mode):
        what = _kind(status.st_mode)
        return Entry(name, refused=f"is {what}, not a file; it is not read.")
    note = ""
    if status.st_nlink > 1:
        base = show(name.rpartition("/")[2])
        note = f"{base} is a hard link: this disk has another name for the file."
    return Entry(
        name, _disk_reader(os.fspath(path)), status.st_size, status.st_mtime, note=note
    )


def _disk_reader(path: str) -> Callable[[int], bytes]:
    def read(limit: int) -> bytes:
        try:
            fd = os.open(path, _OPEN_FLAGS)
            try:
                status = os.fstat(fd)
                if not stat.S_ISREG(status.st_mode):
                    raise IntakeError("is not a file; it is not read.")
                data = _read_at_most(fd, min(limit, status.st_size) + 1)
            finally:
                os.close(fd)
        except OSError as e:
            raise IntakeError(f"cannot be read: {e.strerror}.") from e
        if len(data) > limit:
            raise IntakeError(too_big(len(data), limit))
        return data

    return read


def _read_at_most(fd: int, number: int) -> bytes:
    parts = []
    while number > 0 and (part := os.read(fd, number)):
        parts.append(part)
        number -= len(part)
    return b"".join(parts)


def _kind(mode: int) -> str:
    names = {
        stat.S_IFLNK: "a link",
        stat.S_IFIFO: "a FIFO",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
        stat.S_IFSOCK: "a socket",
        stat.S_IFDIR: "a folder",
    }
    return names.get(stat.S_IFMT(mode), "something else")


class _Walk:
    """A walk that a hostile folder can neither leave nor fill memory with."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.left = limits.tree_files
        self.left_out: list[str] = []

    def folder(self, path: Path, prefix: str, depth: int, note: str) -> Iterator[Entry]:
        name = prefix.rstrip("/")
        # Each hand-in is a subtree at depth 1 or deeper; twice its cap is
        # listed, so that the later count still sees that there are too many.
        start, cap = self.left, 2 * self.limits.files if depth else self.left
        try:
            found = sorted(os.scandir(path), key=lambda e: e.name)
        except OSError as e:
            yield Entry(name, refused=f"cannot be listed: {e.strerror}.")
            return
        for item in found:
            if self.left <= 0 or start - self.left >= cap:
                listed = count(start - self.left, "file")
                yield Entry(f"{prefix}...", refused=f"left out: over {listed} here.")
                return
            yield from self.item(item, prefix, depth, note)

    def item(
        self, item: os.DirEntry[str], prefix: str, depth: int, note: str
    ) -> Iterator[Entry]:
        readable, guess = entrynames.from_os(item.name)
        note = guess or note  # a folder's guessed name is told on what is in it
        name = prefix + readable
        self.left -= 1
        if not item.is_dir(follow_symlinks=False):
            entry = from_file(item.path, name)
            entry.note = entry.note or note
            yield entry
            return
        if depth == 0 and _was_graded_into(item.path):
            self.left_out.append(
                f"{show(name)}/ is left out: it is a folder that grade wrote."
            )
            return
        yield Entry(name, is_folder=True, note=note)
        if readable in JUNK_FOLDERS:
            # One stand-in: named as unused, and enough to see a git clone.
            yield Entry(f"{name}/", refused="is not looked at.")
        elif depth + 1 > self.limits.depth:
            yield Entry(f"{name}/...", refused="is nested too deeply.")
        else:
            yield from self.folder(Path(item.path), f"{name}/", depth + 1, note)


def _was_graded_into(folder: str) -> bool:
    """True for ``--out`` of an earlier grading, also of one that was broken off.

    A folder with code in it is a hand-in, whatever lies beside the code.
    """
    try:
        names = os.listdir(folder)
    except OSError:
        return False
    return _GRADEBOOK in names and not any(n.endswith((".py", ".ipynb")) for n in names)
