"""``watch``: on every save, the exercises that changed are checked again at once.

One warm session stays up. What changed is found by the contents of the files
and not by the events, so editors that save by renaming, two events for one
save, and files that come and go are all the same.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands import check
from grader.commands.console import make_console
from grader.course import Course, load_course
from grader.errors import UsageError
from grader.lang import _
from grader.report.order import troubles
from grader.session.core import HERE
from grader.session.start import Session

if TYPE_CHECKING:
    from rich.console import Console

    from grader.report.views import CheckView, Edition, ExerciseView
    from grader.session.grade import Grader
    from grader.submission import Submission

# Milliseconds: an editor's several events for one save come within a few.
DEBOUNCE_MS, STEP_MS, LOOK_MS = 60, 10, 1000
GONE = "gone"


class Watcher:
    """Knows what was graded last, and grades what has changed since."""

    def __init__(self, course: Course, options: check.Options) -> None:
        self.course = course
        self.options = options
        # A lab trains for minutes: it is watched when it is asked for by name.
        named = bool(options.exercises)
        chosen = course.select(options.exercises)
        self.names = [e.name for e in chosen if named or e.kind != "lab"]
        self.console: Console = make_console(options.plain)
        self._seen: dict[str, str] = {}
        self._said = ""

    def run(self, grader: Grader) -> None:
        """Grade once, then on every change, until Ctrl-C."""
        grader.core = HERE
        grader.most_examples = 0  # there is no room for them, and they take a while
        self.look(grader)
        folder = self.options.file or self.course.folder("exercises")
        for saved in _changes(folder):
            self.look(grader, saved)

    def look(self, grader: Grader, saved: float | None = None) -> None:
        """Grade what is not as it was, and say how it stands.

        Args:
            grader: the warm session's.
            saved: when the change was made, in seconds since 1970.
        """
        try:
            submission = check.read_own(self.course, self.options)
        except UsageError as e:
            if self._said != str(e):
                self._said = str(e)
                self.console.print(self._said)
            return
        self._said = ""
        changed = self._changed(submission)
        if not changed:
            return
        result = grader.grade(submission, changed)
        from grader.report.editions import build

        self._show(build(result, self.course, "student"), saved)

    def _changed(self, submission: Submission) -> list[str]:
        now = {
            name: submission.files[name].sha256
            if name in submission.files
            else submission.blocked.get(name, GONE)
            for name in self.names
        }
        changed = [name for name in self.names if now[name] != self._seen.get(name)]
        self._seen = now
        return changed

    def _show(self, edition: Edition, saved: float | None) -> None:
        if self.console.is_terminal and not self.options.plain:
            self.console.clear()
        when = time.strftime("%H:%M:%S")
        if saved:
            spent = f"{time.time() - saved:.2f}"
            when = _("{when} ({spent} s after the save)", when=when, spent=spent)
        self.console.print(when, style="dim")
        started = [e for e in edition.exercises if e.status != "not_written"]
        for exercise in started:
            self._exercise(exercise)
        waiting = len(edition.exercises) - len(started)
        if waiting:
            self.console.print(_("{n} not written yet", n=waiting))
        folder = self.course.folders.exercises
        self.console.print(_("watching {folder}; Ctrl-C ends", folder=folder))
        sys.stdout.flush()

    def _exercise(self, exercise: ExerciseView) -> None:
        passed = [c for c in exercise.checks if c.passed]
        style = "green" if len(passed) == len(exercise.checks) else "red"
        count = _(
            "{passed} of {total} checks",
            passed=len(passed),
            total=len(exercise.checks),
        )
        self.console.print(f"{exercise.name}: {count}", style=style)
        if len(passed) < len(exercise.checks):
            self._first(exercise, troubles(exercise)[0].check)

    def _first(self, exercise: ExerciseView, first: CheckView) -> None:
        line = getattr(first, "line", None)
        source = exercise.source or f"{exercise.name}.py"
        self.console.print(f"-> {source}{f':{line}' if line else ''}  {first.title}")
        labels = {
            "message": "",
            "expected": _("expected:"),
            "got": _("got:"),
            "mistake": _("mistake:"),
            "hint": _("hint:"),
        }
        for field, label in labels.items():
            text = getattr(first, field, "")
            if text:
                self.console.print(f"   {label} {text}" if label else f"   {text}")


def _changes(folder: Path) -> Iterator[float | None]:
    """The time of each change in ``folder``; ends with Ctrl-C.

    None comes once a second: some disks of a network send no events, and what
    was saved before the first look at them must not be missed.

    Raises:
        UsageError: watchfiles is not installed.
    """
    try:
        from watchfiles import watch
    except ImportError as e:
        raise UsageError(
            "watch needs watchfiles: python -m pip install watchfiles"
        ) from e
    for events in watch(
        folder,
        debounce=DEBOUNCE_MS,
        step=STEP_MS,
        rust_timeout=LOOK_MS,
        yield_on_timeout=True,
        raise_interrupt=False,
    ):
        yield max((_time(Path(name)) for _, name in events), default=None)


def _time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()


def run(root: Path, options: check.Options) -> int:
    """0 when it was ended by Ctrl-C."""
    course = load_course(root)
    watcher = Watcher(course, options)
    with Session(course, watcher.names, "none", True, options.fresh) as session:
        try:
            session.run(watcher.run)
        except KeyboardInterrupt:
            print()
    return 0
