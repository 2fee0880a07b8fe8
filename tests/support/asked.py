"""A real session with a real zygote, talked to as a batch does."""

import subprocess
import sys
from pathlib import Path

import msgspec

from grader.results import SubmissionResult
from grader.session.protocol import Reply, Request
from grader.submission import Source, Submission

ENGINE = Path(__file__).parents[1] / "courses" / "engine"
ANSWER_S = 120


class Asked:
    """One session process of the engine's course."""

    def __init__(
        self, course: Path, isolation: str, program: tuple[object, ...] = ()
    ) -> None:
        self._encode = msgspec.json.Encoder(decimal_format="string").encode
        options = ["--course", course, "--isolation", isolation]
        words = program or ("-m", "grader.session", *options)
        command = [sys.executable, *map(str, words)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def grade(
        self, sources: dict[str, str], seed: str = "s", **options: object
    ) -> SubmissionResult:
        """Grade source texts by exercise; all of the exercises given."""
        files = {
            name: Source(
                name, f"{name}.py", text.encode("utf-8", "replace"), "py", text
            )
            for name, text in sources.items()
        }
        return self.send(Submission("someone", files), list(sources), seed, **options)

    def send(
        self, submission: Submission, exercises: list[str], seed: str, **options: object
    ) -> SubmissionResult:
        request = Request("1", submission, exercises, seed, **options)  # type: ignore[arg-type]
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(self._encode(request) + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the session ended"
        return msgspec.json.decode(line, type=Reply).result

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=ANSWER_S)
        self.process.stdout.close()
