"""Hand-ins and the class list brought together.

Whoever is on the list keeps one id over all layouts and all downloads. Whoever
is not is graded all the same, and named with the people who may be meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from grader.exports.match import plain_name
from grader.gradebook import TA_ONLY, Enrolled, Person
from grader.intake.ids import safe_id
from grader.semester import matching
from grader.submission import Submission


@dataclass
class Assigned:
    """``submissions`` under the ids of the list, with a row for who is missing."""

    submissions: list[Submission]
    roster: list[Enrolled]
    missing: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def assign(
    submissions: Sequence[Submission],
    roster: Sequence[Enrolled],
    known: dict[str, Person],
) -> Assigned:
    """Find out whose each hand-in is.

    Args:
        submissions: as intake read them; their ids are changed.
        roster: the class.
        known: who is in the gradebook already, by submission id: that id stays.
    """
    finder = _Finder(roster)
    ids = _earlier(finder, known)
    found = Assigned([], list(roster))
    kept: dict[str, Submission] = {}
    for submission in submissions:
        people = finder.people(submission)
        if people:
            _rename(submission, [roster[n] for n in people], people, ids)
        else:
            found.unknown.append(_unknown(submission, finder))
        kept[submission.id] = _later(kept.get(submission.id), submission)
    found.submissions = list(kept.values())
    for number, person in enumerate(roster):
        if number not in ids:
            ids[number] = person.id
            found.missing.append(person.id)
            found.submissions.append(
                Submission(person.id, name=person.name, email=person.email)
            )
    found.submissions.sort(key=lambda s: s.id)
    found.roster = [
        msgspec.structs.replace(person, submission=ids[number])
        for number, person in enumerate(roster)
    ]
    return found


def _earlier(finder: _Finder, known: dict[str, Person]) -> dict[int, str]:
    """Person's number -> the id under which the gradebook has them."""
    ids: dict[int, str] = {}
    for who, person in known.items():
        said = Submission(
            who, {}, person.name, person.email, person.group, ids=person.ids
        )
        mates = [m.id for m in person.mates]
        for number in finder.numbers(mates) or finder.people(said):
            ids.setdefault(number, who)
    return ids


def _rename(
    submission: Submission,
    people: list[Enrolled],
    numbers: list[int],
    ids: dict[int, str],
) -> None:
    first = people[0]
    own = first.id if len(people) == 1 else safe_id(first.team or first.id)
    submission.id = next((ids[n] for n in numbers if n in ids), own)
    if len(people) == 1:
        submission.name = first.name or submission.name
        submission.email = first.email or submission.email
    for number in numbers:
        ids[number] = submission.id


def _later(before: Submission | None, now: Submission) -> Submission:
    """Of two hand-ins of one person in one call the later counts, and says so."""
    if before is None:
        return now
    first, last = before, now
    if (before.submitted_at or "") > (now.submitted_at or ""):
        first, last = now, before
    when = first.submitted_at or "an unknown time"
    last.warnings.append(
        f"{TA_ONLY}{last.id} handed in twice in this call; the one of {when} is not "
        "looked at."
    )
    return last


def _unknown(submission: Submission, finder: _Finder) -> str:
    name = submission.name if submission.name != submission.id else ""
    shown = f"{submission.id} ({name})" if name else submission.id
    near = finder.nearest(name or submission.id)
    return f"{shown} is not on the class list" + (f"; nearest: {near}" if near else "")


class _Finder:
    """The people of a roster, by everything that a hand-in may say of them."""

    def __init__(self, roster: Sequence[Enrolled]) -> None:
        self._people = matching.People()
        self._teams: dict[str, list[int]] = {}
        self._by_id = {person.id: n for n, person in enumerate(roster)}
        for number, person in enumerate(roster):
            self._people.add(person.id, person.name, person.email, person.ids)
            if person.team:
                self._teams.setdefault(plain_name(person.team), []).append(number)
        self._team_of = {n: team for team in self._teams.values() for n in team}
        self.nearest = self._people.nearest

    def numbers(self, ids: Sequence[str]) -> list[int]:
        """The people with these ids."""
        return [self._by_id[who] for who in ids if who in self._by_id]

    def people(self, submission: Submission) -> list[int]:
        """Everybody behind a hand-in: the team, the group, or one person."""
        team = self._teams.get(plain_name(submission.name))
        if team:
            return team
        found = self._one(
            submission.id, submission.name, submission.email, submission.ids
        )
        several = [n for n in [found] if n is not None]
        for member in submission.group:
            email = member if "@" in member else ""
            number = self._one(member, member, email, {})
            if number is not None and number not in several:
                several.append(number)
        if len(several) == 1:
            return self._team_of.get(several[0], several)
        return several

    def _one(self, who: str, name: str, email: str, ids: dict[str, str]) -> int | None:
        return self._people.find(matching.keys(who, name, email, ids))
