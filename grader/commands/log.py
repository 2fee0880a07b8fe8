"""``log`` and ``undo``: what was decided, by whom and why; and taking it back."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import msgspec

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook import Decision, Gradebook, New
from grader.gradebook.decisions import in_force, to_revoke
from grader.semester import lookup
from grader.semester.deciding import Common, console, decide, opened
from grader.semester.words import words


@dataclass
class Options(Common):
    """What was asked for."""

    submission: str = ""
    number: int = 0
    reason: str = ""


def run(options: Options) -> int:
    """Print the log; of one submission with what concerns everybody; always 0."""
    screen = console(options)
    with opened(options) as (_, book):
        if options.submission:
            lookup.submission(book, options.submission)
        log = book.log()
        standing = {d.id for d in in_force(log)}
        shown = [d for d in log if _concerns(d, options.submission)]
        if options.json:
            sys.stdout.buffer.write(msgspec.json.encode(shown) + b"\n")
            return 0
        for decision in shown:
            screen.print(_line(decision, standing), soft_wrap=True)
        if not shown:
            screen.print("nothing has been decided yet.")
    return 0


def _concerns(decision: Decision, who: str) -> bool:
    return not who or decision.submission in (None, who)


def _line(decision: Decision, standing: set[int]) -> str:
    new = New(
        decision.kind,
        decision.reason,
        decision.value,
        decision.submission,
        decision.exercise,
        decision.check,
        decision.revokes,
    )
    back = decision.id not in standing and decision.kind != "undo"
    taken = " [taken back]" if back else ""
    return (
        f"{decision.id:>4}  {decision.decided_at}  {decision.author}  "
        f"{words(new)}{taken}"
    )


def undo(options: Options) -> int:
    """Take decision ``options.number`` back; 0 when that is logged."""

    def make(course: Course, book: Gradebook) -> New:
        reason = lookup.reason(options.reason)
        if options.number < 1:
            raise UsageError("name the number that grader log shows.")
        found = to_revoke(book.log(), options.number)
        return New("undo", reason, {}, found.submission, revokes=found.id)

    return decide(options, make)
