"""Parts of a class: every view can be of one section."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from grader.errors import UsageError
from grader.gradebook import Person
from grader.results import SubmissionResult


def members(people: Mapping[str, Person], section: str) -> Callable[[str], bool]:
    """Tells whether a submission is of ``section``; all are when it is empty.

    Raises:
        UsageError: nobody is in that section.
    """
    known = sorted({p.section for p in people.values() if p.section})
    if section and section not in known:
        listed = ", ".join(known) or "none, for want of a roster"
        raise UsageError(f"nobody is in section {section!r}; sections: {listed}.")
    mine = {who for who, p in people.items() if not section or p.section == section}
    return lambda who: not section or who in mine


def only(
    results: Iterable[SubmissionResult], people: Mapping[str, Person], section: str
) -> Iterator[SubmissionResult]:
    """The results of one section; all when it is empty."""
    mine = members(people, section)
    return (result for result in results if mine(result.submission))
