"""Who came out of the same hand-ins in an earlier run, and does not now.

A wrong ``--layout``, or a folder that was renamed, makes a row that stands for
nobody. Late work from another download makes none: it is graded on top.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from grader.gradebook import ABSENT, Gradebook
from grader.intake.words import listed
from grader.submission import Submission

INPUTS = "inputs"
_MOST_NAMED = 10


class Input(msgspec.Struct):
    """What one set of paths gave; ``digest`` is of its bytes, empty for folders."""

    digest: str
    ids: list[str]


def settle(
    book: Gradebook, paths: Sequence[Path], submissions: Sequence[Submission]
) -> list[str]:
    """Leave out or mark the rows that these paths gave earlier and do not now.

    A row is left out of everything that is shown when its hand-in is certainly
    there under other names: the archive is the very same, or each of its files is
    among those of others. Else it goes on counting, with a warning. The history
    keeps both.

    Returns:
        A sentence for each of the two, where there is any.
    """
    inputs = msgspec.json.decode(
        book.get_setting(INPUTS) or "{}", type=dict[str, Input]
    )
    marked = msgspec.json.decode(book.get_setting(ABSENT) or "[]", type=list[str])
    here, digest = _key(paths), _digest(paths)
    now = {s.id for s in submissions}
    before = inputs.get(here, Input("", []))
    elsewhere = {i for key, one in inputs.items() if key != here for i in one.ids}
    gone = [i for i in before.ids if i not in now | elsewhere and book.state(i).status]
    same = bool(digest) and digest == before.digest
    files = {f.sha256 for s in submissions for f in s.files.values()}
    out = [i for i in gone if same or _is_among(book, i, files)]
    kept = [i for i in gone if i not in out]
    absent = set(marked) - now - set(out) | set(kept)
    inputs[here] = Input(digest, sorted(now | set(kept)))
    book.set_setting(INPUTS, msgspec.json.encode(inputs).decode())
    book.set_setting(ABSENT, msgspec.json.encode(sorted(absent)).decode())
    book.leave_out(out)
    notes = []
    if out:
        notes.append(
            f"left out, because an earlier run read the same hand-ins under these "
            f"names: {listed(out, _MOST_NAMED)}. The history keeps them."
        )
    if kept:
        notes.append(
            f"not in this hand-in, kept from an earlier run: "
            f"{listed(kept, _MOST_NAMED)}."
        )
    return notes


def _key(paths: Sequence[Path]) -> str:
    return "\n".join(sorted(str(path.resolve()) for path in paths))


def _digest(paths: Sequence[Path]) -> str:
    """One digest of all archives and files; empty where a folder is among them."""
    total = hashlib.sha256()
    for path in sorted(path.resolve() for path in paths):
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


def _is_among(book: Gradebook, who: str, files: set[str]) -> bool:
    """True when nothing of this hand-in would be lost."""
    if book.state(who).status != "graded":
        return True
    handed_in = book.handed_in(who)
    if handed_in is None:
        return False
    return all(source.sha256 in files for source in handed_in.files.values())
