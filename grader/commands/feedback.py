"""``feedback`` and ``publish``: handing student editions back, and freezing them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.commands.console import print_json
from grader.commands.pages import page_language
from grader.errors import UsageError
from grader.gradebook import Gradebook, New
from grader.lang import choose, speaking
from grader.semester import diff, feedback, lookup, sections
from grader.semester.deciding import DRY, Common, console, opened, show

NAMES = {
    "folder": "feedback",
    "markdown": "feedback-markdown",
    "moodle": "feedback-moodle.zip",
    "canvas": "feedback-canvas.zip",
}


@dataclass
class Options(Common):
    """What was asked for."""

    format: str = "folder"
    to: Path | None = None
    section: str = ""
    reason: str = ""
    lang: str = ""


def run(options: Options) -> int:
    """Write the student editions; 0 also when some have no place there."""
    if options.format not in feedback.FORMATS:
        raise UsageError(
            f"unknown format {options.format!r}; use {', '.join(feedback.FORMATS)}."
        )
    target = options.to or options.out / NAMES[options.format]
    screen = console(options)
    with opened(options) as (course, book):
        found = list(items(book, options.section))
        if options.dry_run:
            if options.json:
                told = {"path": target, "editions": len(found), "dry_run": True}
                print_json(told)
            screen.print(f"{len(found)} student editions would go to {target}.")
            screen.print(DRY)
            return 0
        with speaking(_language(options), course):
            handed = feedback.write(found, course, options.format, target)
    if options.json:
        print_json(handed)
        return 0
    for line in handed.lines():
        screen.print(line, soft_wrap=True)
    return 0


def _language(options: Options) -> str:
    """What was asked for, else that of the reports that lie there."""
    if options.lang:
        return choose(options.lang, {})
    return page_language(options.out)


def items(book: Gradebook, section: str) -> Iterator[feedback.Item]:
    """What counts now, of one section when it is named.

    Raises:
        UsageError: nobody is in that section.
    """
    people = book.people()
    for result in sections.only(book.results(), people, section):
        yield feedback.Item(result, people[result.submission])


def publish(options: Options) -> int:
    """Freeze what is handed back, as numbers and as pages; 0 when it is done."""
    screen = console(options)
    reason = lookup.reason(options.reason)
    with opened(options) as (course, book):
        found = list(items(book, options.section))
        results = [item.result for item in found]
        mine = {r.submission for r in results}
        first = book.published()[0] is None
        earlier = {} if first else diff.state(book, diff.PUBLISHED)[1]
        before = {who: score for who, score in earlier.items() if who in mine}
        changed = list(diff.changes(before, diff.scores(results))) if before else []
        with book.trial(options.dry_run):
            value = {"section": options.section}
            number, count = book.publish(New("publish", reason, value), results)
            target = options.out / "published" / str(number)
            if not options.dry_run:
                # Inside the transaction: no pages, no publication.
                with speaking(_language(options), course):
                    feedback.write(found, course, "folder", target)
        without = [r.submission for r in results if r.score is None]
        if options.json:
            told = {
                "publication": number,
                "path": target,
                "submissions": count,
                "without_score": without,
                "changes": changed,
                "dry_run": options.dry_run,
            }
            print_json(told)
        screen.print(f"publication {number}: {count} submissions in {target}: {reason}")
        if without:
            screen.print(f"without a score: {', '.join(without)}", soft_wrap=True)
        if before:
            show(screen, changed)
        if options.dry_run:
            screen.print(DRY)
    return 0


def since_published(book: Gradebook) -> str:
    """A sentence for the end of a run; empty when nothing was handed back."""
    number, _ = book.published()
    if number is None:
        return ""
    _, old = diff.state(book, diff.PUBLISHED)
    count = sum(1 for _ in diff.changes(old, diff.scores(book.results())))
    if not count:
        return f"Nothing has changed since publication {number}."
    plural = "s differ" if count > 1 else " differs"
    return (
        f"{count} score{plural} from publication {number}: grader diff published lists "
        "them; students have the published ones."
    )
