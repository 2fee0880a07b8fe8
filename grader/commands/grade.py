"""``grade``: its sessions start first, for they take longest.

While they import, the rest of the command is imported, and reads the hand-ins.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.grade_options import BOOK, Options
from grader.course import Course, load_course
from grader.isolation import ladder
from grader.isolation.facts import Probe
from grader.isolation.probe import probe

if TYPE_CHECKING:
    from rich.console import Console

    from grader.batch import Backend


def run(root: Path, options: Options) -> int:
    """0 done (also with unreadable rows), 3 when some row is a grader error."""
    course = load_course(root)
    options.only = list(dict.fromkeys(options.only))
    course.select(options.exercises)
    with ThreadPoolExecutor(1) as beside:
        found = None if options.dry_run else beside.submit(probe)
        from grader.commands.console import make_console

        console = make_console(options.plain, stderr=options.json)
        if found is None:
            from grader.commands.grade_class import dry_run

            return dry_run(course, options, console)
        import grader.batch  # noqa: F401  (while this host is looked at)

        level = _level(options, console, found.result())
    with _sessions(course, options, level) as backend:
        from grader.commands.grade_class import grade_class

        return grade_class(course, options, level, console, backend)


def _level(options: Options, console: Console, found: Probe) -> str:
    """The isolation level to use; said aloud, in red when there is none.

    Raises:
        IsolationError: this host gives less than minimal and nobody agreed to it.
    """
    level = ladder.choose(options.isolation or None, found)
    if level == "none":
        console.print(
            "isolation: none. What was handed in runs with your own rights.",
            style="bold red",
        )
    else:
        console.print(f"isolation: {level}")
    return level


@contextlib.contextmanager
def _sessions(
    course: Course, options: Options, level: str
) -> Iterator[Callable[[], Backend] | None]:
    """What makes the sessions; None: as many as are needed, once they are.

    Where there is no gradebook yet there is certainly work, so they start at once:
    they import while the hand-ins are read.
    """
    if options.scheduler:
        from grader.cluster import cluster_backend

        yield cluster_backend(course, options.scheduler, isolation=level)
    elif options.stored or (options.out / BOOK).exists():
        yield None
    else:
        from grader.batch import StartedBackend, local_backend

        make = local_backend(course, isolation=level, jobs=options.jobs)
        with contextlib.closing(StartedBackend(make)) as started:
            yield started
