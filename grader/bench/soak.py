"""Long batches: cost of a submission at their start and end, and memory.

    python -m grader.bench.soak COURSE OUT COUNT LEVEL HOW

is the coordinator in a process of its own, so that its memory is its own. HOW is
"graded", or "recorded" for sessions that answer at once.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.batch import Backend, BatchSummary, Done, grade_batch
from grader.bench import figures
from grader.bench.batch import CORES, FIRST_TEN, trimmed_course
from grader.bench.handins import generate_lazily
from grader.bench.recorded import RecordedBackend
from grader.commands.console import make_console
from grader.commands.pages import EarlyReports, write_all
from grader.course import Course, load_course
from grader.gradebook import Gradebook
from grader.submission import Submission

WARM_UP = 100  # sessions start, mistakes are run for the first time


def soak(course: Course, count: int, isolation: str) -> None:
    """Grade ``count`` submissions with twenty checks each, and write all pages."""
    figures.heading(f"Soak: {count} submissions, twenty checks, level {isolation}")
    _print(course, count, isolation, "graded")


def coordinator(course: Course, count: int, isolation: str) -> None:
    """The same with sessions that answer at once: what a large class adds."""
    figures.heading(f"Coordinator alone: {count} submissions, twenty checks")
    _print(course, count, isolation, "recorded")


def _print(course: Course, count: int, isolation: str, how: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        small = trimmed_course(course, Path(folder) / "course", FIRST_TEN)
        command = [sys.executable, "-m", "grader.bench.soak", str(small.root)]
        command += [str(Path(folder) / "out"), str(count), isolation, how]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    found = json.loads(done.stdout)
    for name in ("wall time", "coordinator's CPU"):
        early, late = map(figures.in_words, ends := _ends(found[name]))
        figures.line(f"each, first tenth after warm-up: {name}", early)
        figures.line(f"each, last tenth: {name}", late)
        figures.line("last beside first", f"{ends[1] / ends[0]:.2f}", "within 10 %")
    end = figures.in_words(found["end_s"])
    figures.line("class page and so on, after the last one", end)
    figures.line("graded", f"{found['graded']} of {count}")
    figures.line("grader errors", str(found["errors"]), "0")
    figures.line("coordinator's peak memory", f"{found['mib']:.0f} MiB", "under 300")


def _ends(times: list[float]) -> tuple[float, float]:
    """Seconds of a submission in the first tenth after the warm-up, and the last."""
    warm_up = min(WARM_UP, len(times) // 3)
    tenth = max(1, (len(times) - warm_up) // 10)
    early = (times[warm_up + tenth] - times[warm_up]) / tenth
    return early, (times[-1] - times[-1 - tenth]) / tenth


def _submissions(course: Course, count: int) -> Iterator[Submission]:
    yield from generate_lazily(course, _names(course), count)


def _names(course: Course) -> list[str]:
    return [name for name in course.exercises if course.suite_paths(name)]


def main() -> None:
    """The coordinator; prints JSON."""
    root, out, count, level, how = sys.argv[1:]
    course = load_course(Path(root))
    Path(out).mkdir(parents=True)
    with Gradebook.open(Path(out) / "gradebook.sqlite") as book:
        recorded: Backend | None = None
        if how == "recorded":
            recorded = RecordedBackend(course, _names(course), level, kinds=20)
        print(json.dumps(_grade(course, book, int(count), level, recorded)))


def _grade(
    course: Course, book: Gradebook, count: int, level: str, recorded: Backend | None
) -> dict[str, Any]:
    out = book.path.parent
    times: list[float] = []
    cpu: list[float] = []
    early = EarlyReports(course, book, out)

    def on_result(done: Done, summary: BatchSummary) -> None:
        early.write(done.submission)
        times.append(time.perf_counter())
        cpu.append(time.process_time())

    summary = grade_batch(
        _submissions(course, count),
        course,
        book,
        jobs=CORES,
        backend=None if recorded is None else lambda: recorded,
        isolation=level,
        on_result=on_result,
    )
    end = time.perf_counter()
    write_all(
        course,
        book,
        out,
        (),
        make_console(stderr=True),
        quiet=True,
        early=early.written,
    )
    return {
        "wall time": times,
        "coordinator's CPU": cpu,
        "end_s": time.perf_counter() - end,
        "mib": figures.peak_mib(),
        "graded": summary.graded,
        "errors": len(summary.grader_errors),
    }


if __name__ == "__main__":
    main()
