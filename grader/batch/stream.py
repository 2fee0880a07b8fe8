"""Which of the submissions a batch takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grader.gradebook import TA_ONLY
from grader.submission import Submission


def how_many(submissions: Iterable[Submission], only: frozenset[str]) -> int | None:
    """How many will come; None when nobody can know."""
    if not isinstance(submissions, Sequence):
        return None
    return sum(not only or s.id in only for s in submissions)


def chosen(
    submissions: Iterable[Submission], only: frozenset[str]
) -> Iterator[Submission]:
    """Those that were asked for, each under an id of its own."""
    seen: set[str] = set()
    for submission in submissions:
        if only and submission.id not in only:
            continue
        name, number = submission.id, 1
        while submission.id in seen:
            number += 1
            submission.id = f"{name}~{number}"
        if number > 1:
            submission.warnings.append(
                f"{TA_ONLY}the id {name} came {number} times; this is {submission.id}."
            )
        seen.add(submission.id)
        yield submission
