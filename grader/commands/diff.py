"""``diff``: every score that differs between two runs, or since it was published."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import msgspec

from grader.semester import diff, sections
from grader.semester.anonymous import Codes
from grader.semester.deciding import Common, console, opened


@dataclass
class Options(Common):
    """What was asked for."""

    old: str = ""
    new: str = "now"
    section: str = ""
    anonymous: bool = False


def run(options: Options) -> int:
    """Print the differences; always 0."""
    screen = console(options)
    with opened(options) as (_, book):
        (first, old), (last, new) = (
            diff.state(book, options.old),
            diff.state(book, options.new),
        )
        people = book.people()
        codes = Codes(book) if options.anonymous else None
        mine = sections.members(people, options.section)
        changed = [c for c in diff.changes(old, new) if mine(c.submission)]
        if codes:
            changed = [
                msgspec.structs.replace(c, submission=codes[c.submission])
                for c in changed
            ]
            changed.sort(key=lambda c: c.submission)  # the order tells names too
    if options.json:
        sys.stdout.buffer.write(msgspec.json.encode(changed) + b"\n")
        return 0
    for change in changed:
        for line in change.lines():
            screen.print(line, soft_wrap=True)
    number = f"{len(changed)} score{'s' if len(changed) != 1 else ''}"
    screen.print(f"{number} changed from {first} to {last}.")
    return 0
