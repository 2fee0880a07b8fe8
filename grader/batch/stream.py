"""Which of the submissions a batch takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from grader.gradebook import TA_ONLY
from grader.submission import Submission


class Drained(Sequence[Submission]):
    """A list that lets go of each hand-in as a batch takes it, and is then empty.

    The files of 5,000 hand-ins are some 100 MB, which pages want at the end.
    """

    def __init__(self, submissions: list[Submission]) -> None:
        """``submissions`` is emptied."""
        self._left = submissions

    def __len__(self) -> int:
        return len(self._left)

    @overload
    def __getitem__(self, place: int) -> Submission: ...

    @overload
    def __getitem__(self, place: slice) -> list[Submission]: ...

    def __getitem__(self, place: int | slice) -> Submission | list[Submission]:
        return self._left[place]

    def drain(self) -> Iterator[Submission]:
        """Each of them, taken out."""
        self._left.reverse()
        while self._left:
            yield self._left.pop()


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
    if isinstance(submissions, Drained):
        submissions = submissions.drain()
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
