"""A batch once more, with nothing left to do."""

from __future__ import annotations

import resource
import tempfile
from pathlib import Path

from grader.batch import grade_batch
from grader.bench import figures
from grader.bench.batch import grade_folder
from grader.bench.handins import generate, write
from grader.bench.recorded import RecordedBackend
from grader.commands.console import make_console
from grader.commands.pages import write_all
from grader.course import Course
from grader.gradebook import Gradebook
from grader.intake import read

RUNS = 3


def resume(course: Course, exercises: list[str], count: int, isolation: str) -> None:
    """Time ``grade`` on ``count`` hand-ins that it knows, and on a single one.

    The first run needs no sessions: it is given answers that were recorded.
    """
    figures.heading(f"A resumed batch of {count} with nothing to do")
    recorded = RecordedBackend(course, exercises, isolation, kinds=3)
    times = [
        _known_already(course, exercises, number, isolation, recorded)
        for number in (count, 1)
    ]
    for name, again, single in zip(("", ", CPU"), *times, strict=True):
        figures.line(f"whole run{name}", figures.in_words(again))
        figures.line(f"the same of a batch of one{name}", figures.in_words(single))
        slope = max(0.0, again - single) * 1000 / max(1, count - 1)
        figures.line(f"each further 1,000{name}", figures.in_words(slope), "under 1 s")


def _known_already(
    course: Course,
    exercises: list[str],
    count: int,
    isolation: str,
    recorded: RecordedBackend,
) -> tuple[float, float]:
    """Seconds of ``grade`` when everything is known, and of its CPU: least of some.

    Raises:
        RuntimeError: something was graded all the same.
    """
    with tempfile.TemporaryDirectory() as folder:
        hand_ins, out = Path(folder) / "hand-ins", Path(folder) / "out"
        write(generate(course, exercises, count), hand_ins)
        out.mkdir()
        asks = {e.name: e.asks for e in course.exercises.values()}
        with Gradebook.open(out / "gradebook.sqlite") as book:
            grade_batch(
                read([hand_ins], list(course.exercises), asks=asks).submissions,
                course,
                book,
                backend=lambda: recorded,
                exercises=exercises,
                isolation=isolation,
            )
            write_all(course, book, out, None, make_console(stderr=True), quiet=True)
            before = book.newest_grading()
        spent = []
        for _ in range(RUNS):
            before_s = _children_s()
            wall_s = grade_folder(course, hand_ins, out, isolation, exercises)
            spent.append((wall_s, _children_s() - before_s))
        with Gradebook.open(out / "gradebook.sqlite") as book:
            if book.newest_grading() != before:
                raise RuntimeError("what was graded already was graded again")
    walls, cpus = zip(*spent, strict=True)
    return min(walls), min(cpus)


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
