"""A session driven as the batch does it: one line of JSON there, one back."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

import grader
from grader.batch.client import ONE_THREAD
from grader.bench import figures
from grader.course import Course
from grader.errors import GraderError
from grader.results import SubmissionResult
from grader.session.protocol import Hello, Reply, Request, Settings
from grader.submission import Submission

_encoder = msgspec.json.Encoder(decimal_format="string")
_replies = msgspec.json.Decoder(Reply)


class Session:
    """One warm session subprocess with its zygote."""

    def __init__(self, course: Course, exercises: list[str], isolation: str) -> None:
        project = str(Path(grader.__file__).resolve().parents[1])
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "grader.session"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={
                **os.environ,
                **dict.fromkeys(ONE_THREAD, "1"),
                "PYTHONPATH": project,
            },
        )
        self._count = 0
        settings = Settings(str(course.root), exercises, "bench", isolation)
        hello = msgspec.json.decode(self._ask(settings), type=Hello)
        if hello.error:
            raise GraderError(hello.error)

    def _ask(self, message: Settings | Request) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(_encoder.encode(message) + b"\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def grade(self, submission: Submission, exercises: list[str]) -> SubmissionResult:
        """Grade it.

        Raises:
            GraderError: the result is a fault of ours; no figure is of use then.
        """
        self._count += 1
        reply = self._ask(Request(self._count, submission, exercises))
        result = _replies.decode(reply).result
        if result.status != "graded":
            raise GraderError(f"{submission.id}: {result.status}: {result.message}")
        return result

    def memory_mib(self) -> dict[str, float]:
        """Resident memory of the session and of its zygote."""
        pid = self._process.pid
        found = {"session": figures.resident_mib(pid)}
        for child in figures.children(pid):
            found["zygote"] = figures.resident_mib(child)
        return found

    def close(self) -> None:
        """End it."""
        self._process.communicate()


@contextlib.contextmanager
def session(
    course: Course, exercises: list[str], isolation: str = "none"
) -> Iterator[Session]:
    """A session for the block, warm after its first submission."""
    running = Session(course, exercises, isolation)
    try:
        yield running
    finally:
        running.close()


def small_course(root: Path, names: dict[str, str], points: str = "100") -> None:
    """Write the course.toml of a course with these exercises and what they ask."""
    text = ["schema = 1", 'name = "bench"', 'title = "Bench"']
    text += ["[folders]", 'suites = "suites"']
    text += ["[[chapters]]", 'id = "all"', 'title = "All"']
    for name, asks in names.items():
        text += ["[[exercises]]", f'name = "{name}"', 'chapter = "all"']
        text += [f'title = "{name}"', 'section = "-"', f'points = "{points}"']
        text += [f"asks = [{asks}]"]
    (root / "course.toml").write_text("\n".join(text) + "\n", encoding="utf-8")
