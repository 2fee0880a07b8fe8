"""Drive sessions: send submissions, watch the processes, the memory and the time."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from grader.results import SubmissionResult
from grader.session.protocol import Reply, Request
from grader.submission import Source, Submission

HERE = Path(__file__).parent
COURSE = HERE.parent / "courses" / "attacks"
ANSWER_S, REAPED_S = 60, 1.0
PR_SET_CHILD_SUBREAPER = 36
TIMES = re.compile(rb'"(wall_s|cpu_s)":[0-9.e+-]+')
encode = msgspec.json.Encoder(decimal_format="string").encode


@dataclass
class Answer:
    """A reply, as bytes and as a result, and what the session was at it."""

    line: bytes
    result: SubmissionResult | None
    wall_s: float

    @property
    def share(self) -> float:
        """Percent of the points that there were; 0 without a result."""
        if self.result is None or self.result.score is None:
            return 0.0
        return float(100 * self.result.score / self.result.max_score)

    @property
    def lost(self) -> bool:
        return self.result is None or self.result.status != "graded"

    @property
    def timeless(self) -> bytes:
        """The result to the byte, times left out."""
        return TIMES.sub(rb'"\1":0', self.line)


def submission(text: str) -> Submission:
    source = Source("square", "square.py", text.encode(), "py", text)
    return Submission("someone", {"square": source})


class Driven:
    """One session process: real, simulated, another user's or weakened."""

    def __init__(self, *options: str, token: str, course: Path = COURSE) -> None:
        # Orphans of the session become children of ours: none gets away.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        command = [sys.executable, str(HERE / "attack_program.py")]
        environment = os.environ | {
            "HOSTILE_BAIT": token,
            "PYTHONPATH": str(HERE.parents[1]),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self.process = subprocess.Popen(
            [*command, "--course", str(course), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
        self.known: set[int] = set()

    def ask(self, *texts: str, weaken: tuple[str, ...] | None = None) -> Answer:
        """Grade source texts; the answer to the last one."""
        requests = [Request("1", submission(t), ["square"], "s", {}) for t in texts]
        if weaken is None:
            return self.send(encode(requests[0]))
        return self.send(encode({"weaken": weaken, "requests": requests}))

    def send(self, line: bytes) -> Answer:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        start = time.monotonic()
        try:
            self.process.stdin.write(line + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise AssertionError(self.last_words()) from None
        answer = self.process.stdout.readline()
        wall_s = time.monotonic() - start
        if not answer:
            raise AssertionError(self.last_words())
        result = None
        if b'"lost"' not in answer[:10]:
            result = msgspec.json.decode(answer, type=Reply).result
        return Answer(answer, result, wall_s)

    def last_words(self) -> str:
        assert self.process.stderr is not None
        self.process.wait(timeout=ANSWER_S)
        return self.process.stderr.read().decode(errors="replace")[-2000:]

    # -- what it leaves ---------------------------------------------------

    def settle(self) -> None:
        """Call it when all is quiet: these processes are the session's own."""
        self.known = living()

    def survivors(self) -> set[int]:
        """Processes that are there beyond the session's own."""
        end = time.monotonic() + REAPED_S
        while (left := living() - self.known) and time.monotonic() < end:
            os.sched_yield()
        return left

    def forget_peak(self) -> None:
        """Start to measure the session's peak memory anew."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5", encoding="ascii")

    def memory_mib(self, field: str = "VmHWM") -> float:
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(rf"^{field}:\s*(\d+) kB", text, re.MULTILINE)
        assert found is not None
        return int(found[1]) / 1024

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=ANSWER_S)
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


def living() -> set[int]:
    """All processes below this one that have not ended."""
    parents: dict[int, int] = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            text = Path(f"/proc/{name}/stat").read_text(encoding="utf-8")
            state, parent = text.rsplit(")", 1)[1].split()[:2]
            if state not in "ZX":
                parents[int(name)] = int(parent)
    found, own = set(), os.getpid()
    for pid in parents:
        above: int | None = pid
        while above is not None and above != own:
            above = parents.get(above)
        if above == own and pid != own:
            found.add(pid)
    return found


def end(pids: set[int]) -> None:
    """End processes that an attack left (ours, by their ids) and reap them."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)


def as_json(answer: Answer) -> Any:
    return json.loads(answer.line)
