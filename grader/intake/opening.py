"""What lies in a hand-in: archives opened, nothing too big, too deep or too much."""

from __future__ import annotations

import dataclasses

from grader.errors import IntakeError
from grader.intake import archive, tree
from grader.intake.handin import Context
from grader.intake.tree import Entry
from grader.intake.words import show


class Opener:
    """Opens the entries of one hand-in, within its limits.

    Attributes:
        refused: entries that may not be read (a link, a device).
        broken: sentences on archives that could not be opened in full.
        warnings: sentences on all of these, in the order in which they were met.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._left = context.limits.read_bytes
        self.refused: list[Entry] = []
        self.broken: list[str] = []
        self.warnings: list[str] = []

    def opened(self, entries: list[Entry], depth: int) -> list[Entry]:
        """Entries that can be read, with archives replaced by what is in them.

        Args:
            entries: of the hand-in.
            depth: how deep in archives these lie already.
        """
        return self._capped(self._replaced(entries, depth))

    def _warn(self, *sentences: str) -> None:
        self.warnings += [s for s in sentences if s]

    def read(self, entry: Entry, limit: int) -> bytes:
        """At most ``limit`` bytes of ``entry``, and of all that the hand-in may be.

        Raises:
            IntakeError: there is more, or it cannot be read.
        """
        if self._left <= 0:
            raise IntakeError(
                f"{show(entry.name)}: the hand-in is too big to read all."
            )
        data = entry.read(min(limit, self._left))
        self._left -= len(data)
        return data

    def _replaced(self, entries: list[Entry], depth: int) -> list[Entry]:
        out: list[Entry] = []
        for entry in entries:
            self._warn(entry.note)
            junk = tree.is_junk(entry.name)
            if entry.refusal and not junk:
                self.refused.append(entry)
            elif archive.is_archive(entry.name) and not (junk or entry.is_folder):
                out += self._inside(entry, depth + 1)
            elif not entry.is_folder or self._context.is_source(entry.name):
                out.append(entry)
        return out

    def _inside(self, entry: Entry, depth: int) -> list[Entry]:
        limits = self._context.limits
        if depth > limits.archive_depth:
            why = f"{show(entry.name)} lies too deep in archives; unpack it once."
            self.broken.append(why)
            self._warn(why)
            return []
        try:
            data = self.read(entry, limits.archive_bytes)
            opened = archive.open_bytes(data, entry.base, limits.inner())
        except IntakeError as e:
            self.broken.append(str(e))
            self._warn(str(e))
            return []
        self.broken += opened.lost
        self._warn(*opened.lost)
        prefix = entry.name + "/"
        inside = [
            dataclasses.replace(
                e, name=prefix + e.name, order=entry.order, time=e.time or entry.time
            )
            for e in opened.entries
        ]
        return self._replaced(self._capped(inside), depth)

    def _capped(self, entries: list[Entry]) -> list[Entry]:
        most = self._context.limits.files
        if len(entries) <= most:
            return entries
        self._warn(f"It holds {len(entries)} files; only {most} of them are looked at.")
        return sorted(entries, key=lambda e: (e.name.count("/"), e.name))[:most]
