"""Programs that prove something of each exercise, in several processes at once."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from grader.course import Course, load_course
from grader.errors import EnvironmentFault
from grader.session.start import Session

if TYPE_CHECKING:
    from grader.session.grade import Grader

Proof = TypeVar("Proof")


def parser(module: str) -> argparse.ArgumentParser:
    """The options that all of them have."""
    made = argparse.ArgumentParser(prog=f"python -m {module}")
    made.add_argument("names", nargs="*", help="exercises; default: all")
    made.add_argument("--course", type=Path, default=Path())
    made.add_argument("--jobs", "-j", type=int, default=0, help="0: one per core")
    made.add_argument("--json", action="store_true", help="for programs")
    return made


def asked(options: argparse.Namespace) -> tuple[Course, list[str], int]:
    """The course, the exercises that were asked for, and in how many processes."""
    course = load_course(options.course)
    names = [e.name for e in course.select(options.names) if e.kind != "quiz"]
    return course, names, min(options.jobs or os.cpu_count() or 1, len(names))


def in_session(
    course: Course, names: list[str], prove: Callable[[Grader, str], Proof]
) -> list[Proof]:
    """What ``prove`` says of each exercise, in one warm session of this process."""
    found: list[Proof] = []

    def work(grader: Grader) -> None:
        found.extend(prove(grader, name) for name in names)

    with Session(course, names, "none") as session:
        session.run(work)
    return found


def in_processes(command: list[str], names: list[str], jobs: int) -> Iterator[bytes]:
    """What ``jobs`` processes print as JSON, each of its share of the exercises.

    Args:
        command: words after ``python -m``; exercises are added.
        names: all exercises.
        jobs: how many processes.

    Raises:
        EnvironmentFault: one of them ended early.
    """
    words = [sys.executable, "-m", *command, "--json", "--jobs", "1"]
    running = [
        subprocess.Popen([*words, *names[i::jobs]], stdout=subprocess.PIPE)
        for i in range(jobs)
    ]
    for process in running:
        out, _ = process.communicate()
        if process.returncode not in (0, 1):
            raise EnvironmentFault("one of several processes ended early.")
        yield out
