"""The pages of a class, brought up to date from the gradebook.

While a batch runs, each report is written as soon as its result is recorded;
what a whole class is needed for (the class page, who handed in the same) comes
at the end.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from grader.atomic import alone
from grader.course import Course
from grader.gradebook import Gradebook
from grader.lang import LANGUAGES, spoken
from grader.report.paths import KINDS, report_path, write_atomic

if TYPE_CHECKING:
    from rich.console import Console

MARK = Path("reports", "revision")  # which state the pages show


class EarlyReports:
    """Reports written while others are graded: a core that waits has the time.

    ``written`` are those written so far, with the state that each of them shows.
    """

    def __init__(self, course: Course, book: Gradebook, out: Path) -> None:
        self.written: dict[str, str] = {}
        self._course = course
        self._book = book
        self._out = out
        self._ready = False

    def write(self, submission: str) -> None:
        """Write both editions of what counts now for ``submission``."""
        from grader.report.html import write_reports

        if not self._ready:
            self._prepare()
        # What fails here is tried again at the end, and fails there aloud: a page
        # is no reason to stop grading.
        with contextlib.suppress(Exception):
            state = self._book.states(submission)[submission]
            result = self._book.current(submission, twins=False)
            if result is not None:
                write_reports(
                    self._out,
                    result,
                    self._course,
                    name=self._names.get(submission, ""),
                    mistakes=self._titles,
                )
                self.written[submission] = state

    def _prepare(self) -> None:
        from grader.report.mistakes import MistakeTitles

        self._titles = MistakeTitles(self._course)
        self._names = names_of(self._book)
        # The class page will want the plotting library: a second by itself.
        threading.Thread(target=_import_plotting, daemon=True).start()
        self._ready = True


def _import_plotting() -> None:
    import matplotlib.backends.backend_svg
    import matplotlib.figure  # noqa: F401


def names_of(book: Gradebook) -> dict[str, str]:
    """Names that say more than the id does, by id."""
    return {i: p.name for i, p in book.people().items() if p.name not in ("", i)}


def write_all(
    course: Course,
    gradebook: Gradebook,
    out: Path,
    touched: Collection[str] | None,
    console: Console,
    quiet: bool = False,
    early: Mapping[str, str] | None = None,
) -> None:
    """Write reports (of ``touched`` and of those missing; all for None) and index.

    Also those that changed since the pages were last written, by whomever, and
    not those that were written ``early`` and still are as they count.
    """
    with alone(out / "reports"):
        _write_all(course, gradebook, out, touched, console, quiet, early or {})


def _write_all(
    course: Course,
    gradebook: Gradebook,
    out: Path,
    touched: Collection[str] | None,
    console: Console,
    quiet: bool,
    early: Mapping[str, str],
) -> None:
    from grader.report.html import write_reports
    from grader.report.index import write_class_page
    from grader.report.mistakes import MistakeTitles
    from grader.report.stats import ClassStats
    from grader.report.summary import print_class

    index = out / "index.html"
    written = _Written(out, gradebook, course)
    if touched is not None:
        concerned = gradebook.concerned(*written.shown())
        touched = None if concerned is None else {*touched, *concerned}
    if touched is not None and not touched and written.is_current():
        console.print(f"nothing has changed; the class page is {index}")
        return
    names = names_of(gradebook)
    identical = gradebook.identical()
    twins = {i: group for group in identical for i in group}
    states = gradebook.states() if early else {}
    done = {i for i, state in early.items() if states.get(i) == state} - twins.keys()
    titles = MistakeTitles(course)
    sections = {i: p.section for i, p in gradebook.people().items()}
    stats = ClassStats(course, names, sections)
    kept = set()
    for result in gradebook.results():
        name = result.submission
        stats.add(result)
        pages = {report_path(out, name, k) for k in KINDS}
        kept |= pages
        stale = (touched is None or name in touched) and name not in done
        if stale or not all(page.exists() for page in pages):
            write_reports(
                out,
                result,
                course,
                name=names.get(name, ""),
                identical=twins.get(name, ()),
                mistakes=titles,
            )
    write_class_page(index, stats, identical=identical)
    for folder in {page.parent for page in kept}:  # pages of rows that count no more
        for page in set(folder.glob("*.html")) - kept:
            page.unlink()
    written.note()
    if not quiet:
        print_class(console, stats, identical=identical, index=index)


def page_language(out: Path) -> str:
    """The language in which the pages below ``out`` are; spoken now without any."""
    try:
        last = (out / MARK).read_text().split()[-1]
    except (OSError, IndexError):
        return spoken()
    return last if last in LANGUAGES else spoken()


class _Written:
    """Which state of the gradebook the pages in ``out`` show.

    A resumed batch with nothing to do need not draw a class page anew.
    """

    def __init__(self, out: Path, gradebook: Gradebook, course: Course) -> None:
        self._index = out / "index.html"
        self._mark = out / MARK
        self._state = (
            f"{gradebook.revision()} {course.version} {course.title} {spoken()}\n"
        )

    def shown(self) -> tuple[int, int]:
        """The newest grading and the newest decision that the pages show."""
        try:
            grading, _, decision = self._mark.read_text().split()[0].split("-")
            return int(grading), int(decision)
        except (OSError, ValueError, IndexError):
            return 0, 0

    def is_current(self) -> bool:
        """The pages are those of this very state."""
        try:
            return self._index.exists() and self._mark.read_text() == self._state
        except OSError:
            return False

    def note(self) -> None:
        """The pages have been written."""
        write_atomic(self._mark, self._state)
