"""What a grading run starts from: hand-ins with people, times and dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import UsageError
from grader.gradebook import Enrolled, Gradebook, New
from grader.semester.roster import Assigned, assign
from grader.semester.roster_file import read_roster
from grader.semester.times import apply_times
from grader.submission import Submission


@dataclass
class Prepared:
    """Submissions under the ids that they keep, and what a TA should hear."""

    submissions: list[Submission]
    notes: list[str] = field(default_factory=list)


def stored(book: Gradebook) -> list[Submission]:
    """Every hand-in that counts, from the files that the gradebook keeps.

    Raises:
        UsageError: none is kept.
    """
    found = [s for s in book.stored() if s.files]
    if not found:
        raise UsageError(
            f"{book.path} keeps no files of anybody; name a folder with hand-ins."
        )
    return found


def prepare(
    book: Gradebook,
    submissions: Sequence[Submission],
    *,
    roster: Path | None = None,
    times: Path | None = None,
) -> Prepared:
    """Bring hand-ins, the class list and times together; log a new list."""
    prepared = Prepared(list(submissions))
    people = read_roster(roster) if roster else book.roster()
    if people:
        assigned = assign(submissions, people, book.people())
        prepared.submissions = assigned.submissions
        _keep(book, assigned, roster)
        prepared.notes += assigned.unknown
        if assigned.missing:
            listed = ", ".join(assigned.missing)
            prepared.notes.append(f"handed in nothing so far: {listed}")
    if times:
        rules = book.standing.rules
        zone = rules.zone if rules else "UTC"
        handed_in = [s for s in prepared.submissions if _is_handin(s)]
        prepared.notes += apply_times(handed_in, times, zone)
    prepared.notes += _unknown_times(book, prepared.submissions)
    return prepared


def _keep(book: Gradebook, assigned: Assigned, file: Path | None) -> None:
    """Log the list when it, or who is behind which hand-in, has changed."""
    if assigned.roster != book.roster():
        source = file.name if file else "earlier list, new hand-ins"
        value = {"people": len(assigned.roster)}
        new = New("roster", source, value)
        book.decide(new, enrolled=_unique(assigned.roster))


def _unique(people: list[Enrolled]) -> list[Enrolled]:
    return list({person.id: person for person in people}.values())


def _is_handin(submission: Submission) -> bool:
    return bool(submission.files or submission.blocked or submission.error)


def _unknown_times(book: Gradebook, submissions: list[Submission]) -> list[str]:
    rules = book.standing.rules
    if rules is None or rules.deadline is None:
        return []
    handed_in = [s for s in submissions if _is_handin(s)]
    without = [s.id for s in handed_in if s.submitted_at is None]
    if not without:
        return []
    return [
        f"{len(without)} of {len(handed_in)} hand-ins have no known time, so lateness "
        "costs them nothing; --times FILE (CSV of id and time) says it."
    ]
