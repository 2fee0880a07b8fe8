"""``tables``: the course's figures beside those that functions give here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from grader.course import Course, load_course

# A table may train for a while; a check's limit is not meant for it.
TABLE_CPU_S = 120.0


def run(root: Path, names: list[str], mine: bool, json: bool) -> int:
    """0 when every row is within its tolerance, 1 when not."""
    from grader.tables import from_folder, make_tables, print_tables

    course = load_course(root)
    course.select(names)
    if mine:
        tables = _mine(course, names)
    else:
        tables = list(make_tables(from_folder(course.folder("solutions")), names))
    if json:
        sys.stdout.buffer.write(msgspec.json.encode(tables) + b"\n")
        return 0
    who = "yours" if mine else "here"
    return 0 if print_tables(tables, who=who) else 1


def _mine(course: Course, names: list[str]) -> list[Any]:
    """The same tables from the student's functions, run in workers."""
    from grader.commands.check import Options, read_own
    from grader.session.limits import Spending
    from grader.session.start import Session
    from grader.session.student import Remote
    from grader.tables import make_tables

    found: list[Any] = []
    all_names = list(course.exercises)
    options = Options(all_names, None, False, False, False, False)
    with Session(course, all_names, "none", public_only=True) as session:
        submission = read_own(course, options)

        def work(grader: Any) -> None:
            grader.limits.check_cpu_s = TABLE_CPU_S

            def get(name: str) -> Remote:
                exercise = course.exercises[name]
                spending = Spending(TABLE_CPU_S * 10, TABLE_CPU_S * 50)
                return Remote(
                    grader.runner(submission, exercise, spending), ["student"]
                )

            found.extend(make_tables(get, names))

        session.run(work)
    return found
