"""A hand-in -> a ``Submission``: archives opened, files read, guesses owned up to."""

from __future__ import annotations

import dataclasses
from pathlib import PurePosixPath

import msgspec

from grader.errors import IntakeError
from grader.intake import choose, names, sources, times, tree
from grader.intake.choose import Candidate
from grader.intake.handin import Context, Handin
from grader.intake.opening import Opener
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
        self.opener = Opener(context)
        self.used: list[Entry] = []
        self.answered: set[int] = set()  # ids of entries that are used or blocked
        self.told: set[int] = set()  # ids of entries that a warning speaks of

    def build(self) -> None:
        entries = self.opener.opened(self.handin.entries, self.handin.depth)
        self._warn(*self.opener.warnings)
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
        self._warn(times.note(self.submission, self.handin, self.used))
        self._judge(entries)

    def _warn(self, *sentences: str) -> None:
        self.submission.warnings += [s for s in sentences if s]

    # -- the receipt -----------------------------------------------------

    def _receipt(self, entries: list[Entry]) -> Receipt | None:
        """The newest receipt of a hand-in made with a bundle; it names the bundle."""
        found = [e for e in entries if e.base == RECEIPT and not e.is_folder]
        for entry in sorted(found, key=lambda e: -e.order):
            self.answered.add(id(entry))
            try:
                receipt = read_receipt(self.opener.read(entry, MOST_BYTES))
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
        data = self.opener.read(entry, limit)
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
        for entry in self.opener.refused:
            hit = self.context.match(entry.name)
            sure = hit is not None and hit.level <= names.COPY
            if hit and sure and hit.exercises[0] not in self.submission.files:
                self.submission.blocked.setdefault(hit.exercises[0], entry.refusal)
        self._warn(*[e.refusal for e in self.opener.refused[:_MOST_REFUSALS]])
        more = len(self.opener.refused) - _MOST_REFUSALS
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

    def _judge(self, entries: list[Entry]) -> None:
        submission = self.submission
        if submission.files or submission.blocked:
            return
        if self.opener.broken or self.opener.refused:
            faults = self.opener.broken + [e.refusal for e in self.opener.refused]
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
