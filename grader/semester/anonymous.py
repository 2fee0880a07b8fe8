"""Stable codes in place of names, for pages and files meant for discussion."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Iterator

from grader.gradebook import Gradebook, Person
from grader.results import CheckResult, SubmissionResult

DIGITS = 8
SHORTEST = 3  # a name of one or two letters would be cut out of every sentence
KEPT_LATE = ("days", "deduction")
# What a student's own program wrote, or could have.
SAID = ("message", "expected", "got", "trace", "output")


class Codes:
    """Submission id -> code; the same in every page and export of a gradebook.

    The codes come from a secret of the gradebook: nobody can make them from a
    list of names.
    """

    def __init__(self, book: Gradebook) -> None:
        self._key = bytes.fromhex(book.secret("codes"))
        self._people = book.people()

    def __getitem__(self, who: str) -> str:
        data = who.encode("utf-8", "surrogatepass")
        return f"s-{hmac.new(self._key, data, 'sha256').hexdigest()[:DIGITS]}"

    def people(self) -> dict[str, Person]:
        """By code: nothing but the code and a section."""
        return {
            self[who]: Person(self[who], section=person.section)
            for who, person in self._people.items()
        }

    def result(self, result: SubmissionResult) -> SubmissionResult:
        """``result`` without anything that says whose it is; it is changed.

        Warnings, file names, exact times and comments go; what the student's own
        program said stays, with every form of their name replaced.
        """
        code = self[result.submission]
        names = "|".join(map(re.escape, self._names(result.submission)))
        pattern = re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE)
        result.submission = code
        result.warnings, result.message, result.bundle = [], "", None
        result.seed = ""
        late = {k: v for k, v in (result.late or {}).items() if k in KEPT_LATE}
        result.late = late or None
        for exercise in result.exercises.values():
            exercise.key, exercise.source, exercise.warnings = "", "", []
            for check in exercise.checks:
                _replace(check, pattern, code)
        return result

    def results(
        self, results: Iterable[SubmissionResult]
    ) -> Iterator[SubmissionResult]:
        """``result`` of each, in the order of codes: that of ids tells names."""
        yield from sorted(map(self.result, results), key=lambda r: r.submission)

    def _names(self, who: str) -> list[str]:
        """Everything that this person is called, the longest first."""
        person = self._people.get(who, Person(who))
        found = {who, *person.group}
        for one in (person, *person.mates):
            found |= {one.id, one.name, one.email, *one.ids.values()}
            found |= set(one.name.replace(",", " ").split())
        long = {n for n in found if len(n) >= SHORTEST and not n.isdigit()}
        return sorted(long or {who}, key=lambda n: (-len(n), n))


def _replace(check: CheckResult, pattern: re.Pattern[str], code: str) -> None:
    for field in SAID:
        setattr(check, field, pattern.sub(code, getattr(check, field)))
