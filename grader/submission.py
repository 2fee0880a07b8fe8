"""What one student handed in, as plain data: bytes and names, nothing executed."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec


class Source(msgspec.Struct, frozen=True):
    """One file of a submission that answers one exercise.

    ``text`` is the decoded source of a .py file; ``cells`` the code cells of a
    notebook, in order, as written (magics and all: the worker neutralises
    them). Exactly one of them is used, by ``kind``. ``data`` are the bytes as
    handed in, ``path`` the name as handed in, for messages and receipts.
    """

    exercise: str
    path: str
    data: bytes
    kind: str = "py"  # "py" | "ipynb"
    text: str = ""
    cells: tuple[str, ...] = ()
    # Set for a notebook whose outputs made it too big to keep: the digest of the
    # bytes as handed in; ``data`` is then empty.
    handed_in: str = ""

    @property
    def sha256(self) -> str:
        """Hex digest of the bytes as handed in."""
        return self.handed_in or hashlib.sha256(self.data).hexdigest()


class Submission(msgspec.Struct):
    """One hand-in.

    ``error`` is set when nothing of it can be graded: the row is "unreadable"
    and this sentence is its reason. ``blocked`` gives, for an exercise whose
    file was found but cannot be used (null bytes, unknown encoding ...), the
    sentence that the student reads. ``unused`` lists names that matched no
    exercise. Every guess that intake made is one sentence in ``warnings``.
    """

    id: str
    files: dict[str, Source] = msgspec.field(default_factory=dict)
    name: str = ""
    email: str = ""
    group: list[str] = msgspec.field(default_factory=list)
    submitted_at: str | None = None  # ISO 8601 with offset, None when unknown
    time_source: str = ""  # where submitted_at comes from, in words
    late: bool | None = None  # what the layout itself says, None when it says nothing
    ids: dict[str, str] = msgspec.field(default_factory=dict)  # lms ids: canvas, moodle
    bundle: str | None = None
    warnings: list[str] = msgspec.field(default_factory=list)
    unused: list[str] = msgspec.field(default_factory=list)
    blocked: dict[str, str] = msgspec.field(default_factory=dict)
    error: str = ""
    # What the staff agreed to: exercise -> {name asked for: name in the file}.
    aliases: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)

    def digest(self) -> str:
        """Hex digest over every used file: equal for identical hand-ins.

        All files count for each exercise, because one file may import another.
        """
        total = hashlib.sha256()
        for exercise in sorted(self.files):
            source = self.files[exercise]
            total.update(f"{exercise}\0{source.kind}\0{source.sha256}\n".encode())
        for exercise in sorted(self.blocked):
            total.update(f"{exercise}\0blocked\0{self.blocked[exercise]}\n".encode())
        return total.hexdigest()


def as_submission(path: Path, exercise: str, name: str = "") -> Submission:
    """One of our own files (solution, mistake, variant) as a submission."""
    data = path.read_bytes()
    source = Source(exercise, path.name, data, "py", data.decode("utf-8"))
    return Submission(id=name or path.stem, files={exercise: source})
