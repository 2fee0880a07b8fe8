"""How every deciding command runs: shown, logged, and written to all pages."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.course import Course, load_course
from grader.errors import UsageError
from grader.gradebook import Gradebook, New
from grader.semester import diff
from grader.semester.words import words

if TYPE_CHECKING:
    from rich.console import Console

BOOK = "gradebook.sqlite"
MOST_SHOWN = 40
DRY = "dry run: nothing was written."


@dataclass
class Common:
    """What every command of a semester is told."""

    root: Path
    out: Path
    dry_run: bool = False
    json: bool = False
    plain: bool = False


@contextlib.contextmanager
def opened(common: Common) -> Iterator[tuple[Course, Gradebook]]:
    """The course and the gradebook in the folder that grade wrote.

    Raises:
        UsageError: there is no gradebook yet.
    """
    course = load_course(common.root)
    path = common.out / BOOK
    if not path.exists():
        raise UsageError(f"{path} does not exist; run grade --out {common.out} first.")
    with Gradebook.open(path) as book:
        yield course, book


def console(common: Common) -> Console:
    """Where a command prints to: not where its JSON goes."""
    from grader.commands.console import make_console

    return make_console(common.plain, stderr=common.json)


def decide(common: Common, make: Callable[[Course, Gradebook], New]) -> int:
    """Let ``make`` word a decision, take it, show what it changes; 0 when done.

    A dry run does all of it and then forgets it.
    """
    screen = console(common)
    with opened(common) as (course, book):
        with book.trial(common.dry_run):
            new = make(course, book)
            before = _scores(book, new.submission)
            number = book.decide(new)
            changed = list(diff.changes(before, _scores(book, new.submission)))
        if common.json:
            told = {
                "decision": number,
                "dry_run": common.dry_run,
                "changes": [diff.to_json(c) for c in changed],
            }
            sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        screen.print(f"decision {number}: {words(new)}", soft_wrap=True)
        show(screen, changed)
        if common.dry_run:
            screen.print(DRY)
        else:
            rewrite(course, book, common.out)
    return 0


def _scores(book: Gradebook, who: str | None) -> dict[str, diff.Score]:
    if who is None:
        return diff.scores(book.results())
    found = book.current(who)
    return diff.scores([found] if found else [])


def show(screen: Console, changed: list[diff.Change]) -> None:
    """Print changed scores; of very many only the first."""
    if not changed:
        screen.print("no score changes.")
    for change in changed[:MOST_SHOWN]:
        for line in change.lines():
            screen.print(line, soft_wrap=True)
    if len(changed) > MOST_SHOWN:
        screen.print(f"and {len(changed) - MOST_SHOWN} more; grader diff lists all.")


def rewrite(course: Course, book: Gradebook, out: Path) -> None:
    """Bring results.jsonl and every page that is touched up to date."""
    from grader.batch import write_results
    from grader.commands.console import make_console
    from grader.commands.pages import page_language, write_all
    from grader.lang import speaking

    write_results(book, out / "results.jsonl")
    # Whatever this person's terminal speaks: the class reads what it read before.
    with speaking(page_language(out), course):
        write_all(course, book, out, (), make_console(), quiet=True)
