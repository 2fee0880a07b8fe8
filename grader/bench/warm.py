"""A warm session beside the same checks without any boundary, and its memory."""

from __future__ import annotations

import os
import subprocess
import sys

from grader.batch.client import ONE_THREAD
from grader.bench import figures
from grader.bench.handins import generate, reference_handin
from grader.bench.sessions import Session, session
from grader.course import Course, Exercise
from grader.quiz.model import answers_path

SETTLED = 50  # submissions after which memory is looked at


class Floor:
    """The in-process runner in a child of its own."""

    def __init__(self, course: Course, exercises: list[str]) -> None:
        command = [sys.executable, "-m", "grader.bench.inprocess", str(course.root)]
        self._process = subprocess.Popen(
            [*command, *exercises],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **dict.fromkeys(ONE_THREAD, "1")},
        )
        self.checks = 0

    def round(self) -> float:
        """Seconds for all checks of one submission."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        spent, count = self._process.stdout.readline().split()
        self.checks = int(count)
        return float(spent)

    def close(self) -> None:
        """End the child."""
        self._process.communicate()


def warm_against_floor(course: Course, exercises: list[str], rounds: int) -> None:
    """One right submission, all checks: session and floor in turns."""
    figures.heading(f"One right submission, all checks of {len(exercises)} exercises")
    submission = reference_handin(course, exercises)
    floor = Floor(course, exercises)
    bare: list[float] = []
    with session(course) as warm:
        both = figures.alternate(
            rounds,
            lambda: warm.grade(submission, exercises),
            lambda: bare.append(floor.round()),
            first=3,
        )
        floor.close()
        figures.line("checks", str(floor.checks))
        session_s, floor_s = figures.median(both[0]), figures.median(bare[3:])
        figures.line("warm session", figures.in_words(session_s), "0.4 s")
        figures.line("in process, no boundary", figures.in_words(floor_s))
        figures.line("ratio", f"{session_s / floor_s:.2f}", "at most 3")
        _each_exercise(warm, course, exercises, rounds)


def _each_exercise(
    warm: Session, course: Course, exercises: list[str], rounds: int
) -> float:
    """Print the median of each; their sum in seconds."""
    total = 0.0
    for name in exercises:
        one = reference_handin(course, [name])
        spent = [
            figures.seconds(lambda one=one, name=name: warm.grade(one, [name]))  # type: ignore[misc]
            for _ in range(rounds + 1)
        ]
        # The first round also imports the reference and measures its limits.
        median = figures.median(spent[1:])
        total += median
        figures.line(f"  {name}", figures.in_words(median))
    return total


def whole_course(course: Course, rounds: int) -> None:
    """Each exercise but the labs, one after the other in one warm session."""
    names = [n for n, e in course.exercises.items() if _is_measured(course, e)]
    figures.heading(f"One right submission, each of {len(names)} exercises, no labs")
    with session(course) as warm:
        total = _each_exercise(warm, course, names, rounds)
    figures.line("sum", figures.in_words(total), "under 1.5 s")


def _is_measured(course: Course, exercise: Exercise) -> bool:
    if exercise.kind == "quiz":
        return answers_path(course, exercise.name).exists()
    return exercise.kind == "code" and bool(course.suite_paths(exercise.name))


def memory(course: Course, exercises: list[str], count: int) -> None:
    """Growth of session and zygote over many different submissions."""
    figures.heading(f"Memory over {count} different submissions, one session")
    settled = min(SETTLED, count // 3)
    with session(course) as warm:
        before: dict[str, float] = {}
        for number, submission in enumerate(generate(course, exercises, count), 1):
            warm.grade(submission, exercises)
            if number == settled:
                before = warm.memory_mib()
        after = warm.memory_mib()
    for who in sorted(before):
        grown = after[who] - before[who]
        figures.line(f"{who}: resident at the end", f"{after[who]:.0f} MiB")
        figures.line(
            f"{who}: growth after the first {settled}", f"{grown:+.1f} MiB", "under 10"
        )
