"""A hand-in -> a ``Submission``: archives opened, files read, guesses owned up to."""

from __future__ import annotations

import dataclasses
import datetime
from pathlib import PurePosixPath

import msgspec

from grader.errors import IntakeError
from grader.intake import archive, choose, names, sources, tree
from grader.intake.choose import Candidate
from grader.intake.handin import Context, Handin
from grader.intake.tree import Entry
from grader.intake.words import clean, count, listed, show
from grader.quiz.reading import is_blank
from grader.release.handin import MOST_BYTES, RECEIPT, Receipt, read_receipt
from grader.submission import Source, Submission

_MOST_LISTED = 200
_MOST_NAMED = 8
_MOST_REFUSALS = 20
_MOST_READ_FOR_CONTENT = 40
_NOT_WRITTEN = "raise NotImplementedError"


def build(handin: Handin, context: Context) -> Submission:
    """The submission of one hand-in; whatever is wrong with it stays on its row."""
    submission = Submission(
        id=handin.id,
        name=clean(handin.name or handin.id),
        email=clean(handin.email),
        group=[clean(member) for member in handin.group],
        submitted_at=handin.submitted_at,
        time_source=handin.time_source,
        late=handin.late,
        ids=dict(handin.ids),
        error=handin.error,
    )
    if not handin.error:
        try:
            _Builder(submission, handin, context).build()
        except Exception as e:  # one hand-in must never cost the whole batch
            submission.files, submission.blocked = {}, {}
            submission.error = f"The hand-in cannot be read: {type(e).__name__}: {e}"
    submission.warnings = list(dict.fromkeys(handin.warnings + submission.warnings))
    return submission


class _Builder:
    def __init__(
        self, submission: Submission, handin: Handin, context: Context
    ) -> None:
        self.submission, self.handin, self.context = submission, handin, context
        self.left = context.limits.read_bytes
        self.refused: list[Entry] = []
        self.broken: list[str] = []
        self.used: list[Entry] = []
        self.answered: set[int] = set()  # ids of entries that are used or blocked
        self.told: set[int] = set()  # ids of entries that a warning speaks of

    def build(self) -> None:
        entries = self._capped(self._opened(self.handin.entries, self.handin.depth))
        context = self.context
        files = [
            e
            for e in entries
            if context.is_source(e.called) and not tree.is_junk(e.name)
        ]
        choice = choose.by_name(files, context)
        self._warn(*choice.ambiguous)
        receipt = self._receipt(entries)
        for exercise in context.exercises:
            if candidates := choice.by_exercise.get(exercise):
                self._take(exercise, candidates)
        self._by_content(choice.left)
        self._block_refused()
        self._compare(receipt)
        self._list_unused(entries)
        self._note_times()
        self._judge(entries)

    def _warn(self, *sentences: str) -> None:
        self.submission.warnings += [s for s in sentences if s]

    def _read(self, entry: Entry, limit: int) -> bytes:
        if self.left <= 0:
            raise IntakeError(
                f"{show(entry.name)}: the hand-in is too big to read all."
            )
        data = entry.read(min(limit, self.left))
        self.left -= len(data)
        return data

    # -- entries ---------------------------------------------------------

    def _opened(self, entries: list[Entry], depth: int) -> list[Entry]:
        """Entries that can be read, with archives replaced by what is in them."""
        out: list[Entry] = []
        for entry in entries:
            self._warn(entry.note)
            junk = tree.is_junk(entry.name)
            if entry.refusal and not junk:
                self.refused.append(entry)
            elif archive.is_archive(entry.name) and not (junk or entry.is_folder):
                out += self._inside(entry, depth + 1)
            elif not entry.is_folder or self.context.is_source(entry.name):
                out.append(entry)
        return out

    def _inside(self, entry: Entry, depth: int) -> list[Entry]:
        limits = self.context.limits
        if depth > limits.archive_depth:
            why = f"{show(entry.name)} lies too deep in archives; unpack it once."
            self.broken.append(why)
            self._warn(why)
            return []
        try:
            data = self._read(entry, limits.archive_bytes)
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
        return self._opened(self._capped(inside), depth)

    def _capped(self, entries: list[Entry]) -> list[Entry]:
        most = self.context.limits.files
        if len(entries) <= most:
            return entries
        self._warn(f"It holds {len(entries)} files; only {most} of them are looked at.")
        return sorted(entries, key=lambda e: (e.name.count("/"), e.name))[:most]

    # -- the receipt -----------------------------------------------------

    def _receipt(self, entries: list[Entry]) -> Receipt | None:
        """The newest receipt of a hand-in made with a bundle; it names the bundle."""
        found = [e for e in entries if e.base == RECEIPT and not e.is_folder]
        for entry in sorted(found, key=lambda e: -e.order):
            self.answered.add(id(entry))
            try:
                receipt = read_receipt(self._read(entry, MOST_BYTES))
            except IntakeError:
                continue
            if receipt is not None:
                self.submission.bundle = receipt.bundle
                return receipt
        return None

    def _compare(self, receipt: Receipt | None) -> None:
        """Say which files are not those that the receipt was made for."""
        for exercise, source in self.submission.files.items():
            suffix = PurePosixPath(source.path).suffix.lower()
            told = receipt.files.get(exercise + suffix) if receipt else None
            if told is not None and told != source.sha256:
                self._warn(
                    f"{show(source.path)} was changed after its receipt was made."
                )

    # -- choosing --------------------------------------------------------

    def _take(self, exercise: str, candidates: list[Candidate]) -> None:
        """Use the best candidate that can be read; say what the others were."""
        usable: list[tuple[Candidate, Source, list[str]]] = []
        faults: list[str] = []
        for candidate in candidates[:8]:
            try:
                usable.append((candidate, *self._source(candidate)))
            except IntakeError as e:
                faults.append(str(e))
        if not usable:
            if faults:
                self.submission.blocked[exercise] = faults[0]
                self.answered |= {id(c.entry) for c in candidates}
                self._warn(*faults)
            return
        best, why = self._prefer_written(usable)
        candidate, source, warnings = best
        self._use(candidate, source, warnings)
        self._warn(*faults)
        self.told |= {id(c.entry) for c in candidates}
        for other, its_source, _ in usable:
            if other is candidate or _is_our_notebook(other.entry, its_source):
                continue
            because = why or choose.reason(candidate, other)
            self._warn(
                f"{exercise}: {show(candidate.entry.name)} is used and not "
                f"{show(other.entry.name)}, because {because}."
            )

    def _source(self, candidate: Candidate) -> tuple[Source, list[str]]:
        entry, limits = candidate.entry, self.context.limits
        if entry.is_folder:
            raise IntakeError(
                f"{show(entry.name)} is an empty folder, not a file; hand in the file."
            )
        is_notebook = entry.name.lower().endswith(".ipynb")
        limit = limits.notebook_bytes if is_notebook else limits.source_bytes
        data = self._read(entry, limit)
        if candidate.exercise in self.context.quizzes:
            return sources.to_sheet(candidate.exercise, entry.name, data)
        return sources.to_source(candidate.exercise, entry.name, data, limits)

    def _prefer_written(
        self, usable: list[tuple[Candidate, Source, list[str]]]
    ) -> tuple[tuple[Candidate, Source, list[str]], str]:
        """An unwritten skeleton gives way to a written file, unless it is newer."""
        first = usable[0]
        if first[0].entry.order or not _unwritten(first[1]):
            return first, ""
        for other in usable[1:]:
            if not _unwritten(other[1]):
                return other, "the other is not written yet"
        return first, ""

    def _use(self, candidate: Candidate, source: Source, warnings: list[str]) -> None:
        exercise, name = candidate.exercise, candidate.entry.name
        self.submission.files[exercise] = source
        self.submission.blocked.pop(exercise, None)
        self.used.append(candidate.entry)
        self.answered.add(id(candidate.entry))
        if candidate.level not in (names.EXACT, names.CONTENT):
            because = names.WHY[candidate.level]
            self._warn(f"{show(name)} is taken for {exercise}: {because}.")
        self._warn(*warnings)

    def _by_content(self, left: list[Entry]) -> None:
        """Give exercises without a file to the files whose names say nothing."""
        submission, context = self.submission, self.context
        open_ = [e for e in context.code if e not in submission.files]
        left = [e for e in left if not names.is_sheet(e.name)]
        read: list[tuple[Candidate, Source, list[str]]] = []
        for entry in left[:_MOST_READ_FOR_CONTENT] if open_ else []:
            candidate = Candidate(entry, open_[0], names.CONTENT)
            try:
                read.append((candidate, *self._source(candidate)))
            except IntakeError as e:
                self._warn(str(e))
        taken: dict[str, list[str]] = {}
        for exercise in open_:
            scored = [
                (choose.defines(s, exercise, context), c, s, w) for c, s, w in read
            ]
            scored = [s for s in scored if s[0]]
            if not scored and len(context.code) == len(read) == 1:
                scored = [(0, *read[0])]
            if exercise in submission.blocked or not scored:
                continue
            _, found, source, warnings = min(scored, key=lambda s: (-s[0], s[1].rank))
            candidate = dataclasses.replace(found, exercise=exercise)
            source = msgspec.structs.replace(source, exercise=exercise)
            self._use(candidate, source, warnings)
            taken.setdefault(found.entry.name, []).append(exercise)
        for name, exercises in taken.items():
            meant = ", ".join(exercises)
            self._warn(
                f"{show(name)} is taken for {meant}: {names.WHY[names.CONTENT]}."
            )

    # -- what is said about the rest ---------------------------------------

    def _block_refused(self) -> None:
        for entry in self.refused:
            hit = self.context.match(entry.name)
            sure = hit is not None and hit.level <= names.COPY
            if hit and sure and hit.exercises[0] not in self.submission.files:
                self.submission.blocked.setdefault(hit.exercises[0], entry.refusal)
        self._warn(*[e.refusal for e in self.refused[:_MOST_REFUSALS]])
        more = len(self.refused) - _MOST_REFUSALS
        if more > 0:
            self._warn(f"{count(more, 'more entry was', 'more entries were')} refused.")

    def _list_unused(self, entries: list[Entry]) -> None:
        left = [e for e in entries if id(e) not in self.answered and not e.is_folder]
        unused = dict.fromkeys(
            tree.junk_label(e.name) if tree.is_junk(e.name) else e.name for e in left
        )
        self.submission.unused = list(unused)[:_MOST_LISTED]
        more = len(unused) - _MOST_LISTED
        if more > 0:
            self.submission.unused.append(f"... and {count(more, 'more file')}")
        silent = sorted(e.name for e in left if not self._is_told(e))
        if silent and self.used:  # else one sentence says what is there instead
            self._warn(f"Not used: {listed(silent, _MOST_NAMED)}.")

    def _is_told(self, entry: Entry) -> bool:
        """What systems leave behind, and what another warning speaks of."""
        if id(entry) in self.told or tree.is_junk(entry.name):
            return True
        return any(show(entry.name) in w for w in self.handin.warnings)

    def _note_times(self) -> None:
        self._note_stamp()
        times = [(e.time, e.name) for e in self.used if e.time]
        if not (times and self.handin.use_file_times) or self.submission.submitted_at:
            return
        newest, name = max(times)
        utc = datetime.datetime.fromtimestamp(int(newest), datetime.UTC)
        self.submission.submitted_at = utc.isoformat()
        self.submission.time_source = f"file time of {show(name)}"

    def _note_stamp(self) -> None:
        """The newest time stamp of the folders whose files are used."""
        stamps = self.handin.stamps
        tops = {e.name.partition("/")[0] for e in self.used}
        told = {t: s for t, s in stamps.items() if t in tops or not tops}
        if not told or self.submission.submitted_at:
            return
        newest = max(told, key=lambda t: datetime.datetime.fromisoformat(told[t]))
        self.submission.submitted_at = told[newest]
        self.submission.time_source = f"time stamp of {show(newest)}"
        if len(set(told.values())) > 1 and tops:
            listed_ = "; ".join(f"{show(t)}: {told[t]}" for t in sorted(told))
            self._warn(
                f"Its files were handed in at different times ({listed_}); the newest "
                "counts. --exercise grades one assignment alone."
            )

    def _judge(self, entries: list[Entry]) -> None:
        submission = self.submission
        if submission.files or submission.blocked:
            return
        if self.broken or self.refused:
            faults = self.broken + [e.refusal for e in self.refused]
            submission.error = faults[0]
            return
        seen = [e.name for e in entries if not e.is_folder and not tree.is_junk(e.name)]
        what = f"it holds {listed(seen)}" if seen else "it is empty"
        self._warn(f"No file of it is named like an exercise: {what}.")


def _is_our_notebook(entry: Entry, source: Source) -> bool:
    """One of the bundle's notebooks that nobody wrote in: no word about it."""
    folder = PurePosixPath(entry.name).parent.name
    return folder == "notebooks" and source.kind == "ipynb" and _unwritten(source)


def _unwritten(source: Source) -> bool:
    if source.kind == "sheet":
        return is_blank(source.text)
    return _NOT_WRITTEN in source.text or any(_NOT_WRITTEN in c for c in source.cells)
