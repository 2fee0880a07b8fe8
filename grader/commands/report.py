"""``report``: pages and tables from the gradebook, never from memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.console import make_console, print_json
from grader.commands.pages import write_all
from grader.course import Course, load_course
from grader.errors import UsageError
from grader.gradebook import Gradebook
from grader.intake.ids import safe_id
from grader.report.paths import write_atomic
from grader.results import SubmissionResult
from grader.semester import sections
from grader.semester.anonymous import Codes
from grader.semester.assignment import take_dates
from grader.semester.folders import replacing_folder

if TYPE_CHECKING:
    from rich.console import Console

BOOK = "gradebook.sqlite"


@dataclass
class Options:
    """What was asked for."""

    out: Path
    only: list[str]
    section: str = ""
    anonymous: bool = False
    dry_run: bool = False
    plain: bool = False
    json: bool = False

    @property
    def page(self) -> Path:
        """The class page that is written."""
        if self.anonymous:
            return self.out / "anonymous" / "index.html"
        return section_page(self.out, self.section)


def section_page(out: Path, section: str) -> Path:
    """The class page of a section; of everybody when there is none."""
    return out / (f"index-{safe_id(section)}.html" if section else "index.html")


def run(root: Path, options: Options) -> int:
    """Write every page anew; with ``only`` print those submissions instead."""
    course = load_course(root)
    out = options.out
    path = out / BOOK
    if not path.exists():
        raise UsageError(f"{path} does not exist; run grade --out {out} first.")
    console = make_console(options.plain, stderr=options.json)
    with Gradebook.open(path) as gradebook:
        if options.only:
            _print(course, gradebook, options, console)
            return 0
        with gradebook.trial(options.dry_run):
            changed = take_dates(course, gradebook)
            if changed:
                console.print(changed, soft_wrap=True)
            if options.dry_run:
                count = len(gradebook.people())
                console.print(f"{count} reports would be written below {out}.")
                console.print("dry run: nothing was written.")
                if options.json:
                    print_json({"page": options.page, "dry_run": True})
                return 0
        if options.anonymous:
            write_anonymous(course, gradebook, out, options.section, console)
        elif options.section:
            write_section(course, gradebook, out, options.section, console)
        else:
            write_all(course, gradebook, out, None, console)
    if options.json:
        print_json({"page": options.page, "dry_run": False})
    return 0


def _print(
    course: Course, gradebook: Gradebook, options: Options, console: Console
) -> None:
    """Print the submissions that were asked for, as lines of JSON or for people.

    Raises:
        UsageError: one of them was never graded.
    """
    from grader.report.editions import build
    from grader.report.terminal import print_result

    for name in options.only:
        result = gradebook.current(name)
        if result is None:
            raise UsageError(f"the gradebook has no submission {name!r}.")
        if options.json:
            print_json(result)
        else:
            print_result(console, build(result, course, "ta"), verbose=True)


def write_section(
    course: Course, gradebook: Gradebook, out: Path, section: str, console: Console
) -> None:
    """Write a class page of one section beside that of all, and print it."""
    from grader.report.index import render_index
    from grader.report.summary import print_batch_summary

    people = gradebook.people()
    mine = sections.members(people, section)
    identical = [g for g in gradebook.identical() if all(map(mine, g))]
    names = {i: p.name for i, p in people.items() if p.name not in ("", i)}
    index = section_page(out, section)

    def results() -> Iterator[SubmissionResult]:
        return sections.only(gradebook.results(), people, section)

    page = render_index(
        results(), course, identical=identical, names=names, stamp=section
    )
    write_atomic(index, page)
    print_batch_summary(
        console, results(), course, identical=identical, names=names, index=index
    )


def write_anonymous(
    course: Course, gradebook: Gradebook, out: Path, section: str, console: Console
) -> None:
    """Write pages for discussion: the class under codes, in a folder of its own."""
    from grader.report.html import write_reports
    from grader.report.index import write_index
    from grader.report.mistakes import MistakeTitles

    codes = Codes(gradebook)
    people = gradebook.people()
    mine = sections.members(people, section)
    titles = MistakeTitles(course)
    results = list(codes.results(sections.only(gradebook.results(), people, section)))
    identical = [
        sorted(codes[i] for i in group)
        for group in gradebook.identical()
        if all(map(mine, group))
    ]
    twins = {code: group for group in identical for code in group}
    with replacing_folder(out / "anonymous") as folder:
        for result in results:
            same = twins.get(result.submission, ())
            write_reports(folder, result, course, identical=same, mistakes=titles)
        write_index(folder, results, course, identical=sorted(identical))
    console.print(f"open {out / 'anonymous' / 'index.html'}", soft_wrap=True)
