import sys
from collections import Counter
from pathlib import Path

import pytest
from gradings import tiny_course

from grader.batch import LocalBackend, grade_batch
from grader.gradebook import Gradebook

FAKE = Path(__file__).with_name("fake_session.py")
WALL_S = 20.0


class Bench:
    """A tiny course, a gradebook and fake sessions in one folder."""

    def __init__(self, root: Path, name: str = "out") -> None:
        self.root = root
        self.course = tiny_course(root / "course")
        (root / name).mkdir()
        self.path = root / name / "gradebook.sqlite"
        self.results = root / name / "results.jsonl"
        self.log = root / "log"
        self.log.touch()
        self.done = []

    def command(self, *more: str) -> list[str]:
        return [sys.executable, str(FAKE), str(self.log), *more]

    def grade(self, submissions, jobs=2, wall_s=WALL_S, more=(), **options):
        made = []

        def make():
            made.append(LocalBackend(self.command(*more), jobs, wall_s))
            return made[-1]

        options.setdefault("on_result", lambda done, summary: self.done.append(done))
        with Gradebook.open(self.path) as book:
            summary = grade_batch(
                submissions,
                self.course,
                book,
                backend=make,
                isolation="none",
                **options,
            )
        self.backends = made
        return summary

    def book(self) -> Gradebook:
        return Gradebook.open(self.path)

    def current(self, id: str):
        with self.book() as book:
            return book.current(id)

    def graded(self) -> Counter:
        """How often the sessions were asked for (submission, exercise)."""
        lines = self.log.read_text().splitlines()
        return Counter(tuple(line.split()[1:]) for line in lines)

    def forget(self) -> None:
        self.log.write_text("")


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)
