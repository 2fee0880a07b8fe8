"""``purge``: personal data goes when it has served, anonymous counts stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.commands.console import print_json
from grader.gradebook import New
from grader.semester import lookup, purge
from grader.semester.deciding import DRY, Common, console, opened, rewrite


@dataclass
class Options(Common):
    """What was asked for."""

    before: str = ""
    reason: str = ""


def run(options: Options) -> int:
    """0 when nobody of whom nothing was graded since is left in any file."""
    screen = console(options)
    reason = lookup.reason(options.reason)
    before = purge.day(options.before)
    with opened(options) as (course, book):
        who = purge.going(book.connection, before)
        if not who:
            if options.json:
                print_json(_facts(options))
            screen.print(f"nobody's last grading is from before {options.before}.")
            return 0
        with book.trial(options.dry_run):
            value = {"before": options.before, "people": len(who)}
            number = purge.purge(book, New("purge", reason, value), who)
            left = len(book.people())
        kept = "" if len(who) >= purge.FEWEST else " (too few for anonymous counts)"
        screen.print(
            f"decision {number}: {len(who)} submissions removed{kept}, {left} left: "
            f"{reason}"
        )
        if options.dry_run:
            if options.json:
                print_json(_facts(options, number, who))
            screen.print(DRY)
            return 0
        book.compact()
        gone = purge.remove_files(options.out, who)
        rewrite(course, book, options.out)
    if options.json:
        print_json(_facts(options, number, who, len(gone)))
    screen.print(f"{len(gone)} files of them removed below {options.out}.")
    screen.print(
        "Copies elsewhere (downloads, uploads, backups of this disk) are not touched."
    )
    return 0


def _facts(
    options: Options,
    decision: int | None = None,
    who: Sequence[str] = (),
    files: int = 0,
) -> dict[str, object]:
    """For programs; no decision when there was nobody to remove."""
    return {
        "decision": decision,
        "removed": list(who),
        "files": files,
        "dry_run": options.dry_run,
    }
