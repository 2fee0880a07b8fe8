"""A session driven as the batch does it: one line of JSON there, one back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from grader.batch.client import SessionClient
from grader.batch.local import session_command
from grader.bench import figures
from grader.course import Course
from grader.errors import GraderError
from grader.results import SubmissionResult
from grader.session.protocol import Reply, Request
from grader.submission import Submission

WALL_S = 600.0
_encoder = msgspec.json.Encoder(decimal_format="string")
_decoder = msgspec.json.Decoder(Reply)


class Session:
    """One warm session subprocess with its zygote."""

    def __init__(self, course: Course, isolation: str) -> None:
        self.course = course
        self.client = SessionClient(session_command(course.root, isolation))

    def grade(self, submission: Submission, exercises: list[str]) -> SubmissionResult:
        """Grade it.

        Raises:
            GraderError: the result is a fault of ours; no figure is of use then.
        """
        request = Request(
            id=submission.id,
            submission=submission,
            exercises=exercises,
            seed="bench",  # limits are measured with the first one
        )
        line = self.client.ask(_encoder.encode(request), submission.id, WALL_S)
        result = _decoder.decode(line).result
        if result.status != "graded":
            raise GraderError(f"{submission.id}: {result.status}: {result.message}")
        return result

    def memory_mib(self) -> dict[str, float]:
        """Resident memory of the session and of its zygote."""
        process = self.client._process
        if process is None:
            return {}
        found = {"session": figures.resident_mib(process.pid)}
        for child in figures.children(process.pid):
            found["zygote"] = figures.resident_mib(child)
        return found


@contextlib.contextmanager
def session(course: Course, isolation: str = "none") -> Iterator[Session]:
    """A session for the block, warm after its first submission."""
    running = Session(course, isolation)
    try:
        yield running
    finally:
        running.client.close()


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
