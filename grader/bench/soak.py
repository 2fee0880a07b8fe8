"""A long batch: cost of a submission at its start and end, and memory.

    python -m grader.bench.soak COURSE OUT COUNT LEVEL

is the coordinator in a process of its own, so that its memory is its own.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from grader.batch import BatchSummary, Done, grade_batch
from grader.bench import figures
from grader.bench.batch import CORES, FIRST_TEN, trimmed_course
from grader.bench.handins import generate_lazily
from grader.course import Course, load_course
from grader.gradebook import Gradebook
from grader.submission import Submission

WARM_UP = 100  # sessions start, mistakes are run for the first time


def soak(course: Course, count: int, isolation: str) -> None:
    """Grade ``count`` submissions with twenty checks each."""
    figures.heading(f"Soak: {count} submissions, twenty checks, level {isolation}")
    with tempfile.TemporaryDirectory() as folder:
        small = trimmed_course(course, Path(folder) / "course", FIRST_TEN)
        command = [sys.executable, "-m", "grader.bench.soak", str(small.root)]
        command += [str(Path(folder) / "out"), str(count), isolation]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    found = json.loads(done.stdout)
    times = found["times"]
    tenth = max(1, (count - WARM_UP) // 10)
    early = (times[WARM_UP + tenth] - times[WARM_UP]) / tenth
    late = (times[-1] - times[-1 - tenth]) / tenth
    figures.line("each, first tenth after the warm-up", figures.in_words(early))
    figures.line("each, last tenth", figures.in_words(late))
    figures.line("last beside first", f"{late / early:.2f}", "within 10 %")
    figures.line("graded", f"{found['graded']} of {count}")
    figures.line("grader errors", str(found["errors"]), "0")
    figures.line("coordinator's peak memory", f"{found['mib']:.0f} MiB", "under 300")


def _submissions(course: Course, count: int) -> Iterator[Submission]:
    names = [name for name in course.exercises if course.suite_paths(name)]
    yield from generate_lazily(course, names, count)


def main() -> None:
    """The coordinator; prints JSON."""
    root, out, count, level = sys.argv[1:]
    course = load_course(Path(root))
    Path(out).mkdir(parents=True)
    times: list[float] = []

    def on_result(done: Done, summary: BatchSummary) -> None:
        times.append(time.perf_counter())

    with Gradebook.open(Path(out) / "gradebook.sqlite") as book:
        summary = grade_batch(
            _submissions(course, int(count)),
            course,
            book,
            jobs=CORES,
            isolation=level,
            on_result=on_result,
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = {
        "times": times,
        "mib": peak,
        "graded": summary.graded,
        "errors": len(summary.grader_errors),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
