"""A session that grades nothing: each exercise's file says what happens.

Called as: fake_session.py LOG. Appends "pid submission exercise" to LOG for each
exercise that it is asked for. The first word of a file is the behaviour. To
LOG.starts goes "pid program", or "pid lane" for each session that it forks.
"""

import os
import signal
import sys
import time
from decimal import Decimal
from pathlib import Path

import msgspec

from grader.results import CheckResult, ExerciseResult, Outcome, SubmissionResult
from grader.session.protocol import Hello, Lane, Reply, Request

LOG = Path(sys.argv[1])


def main() -> None:
    if "broken" in sys.argv:
        sys.exit("cannot import the suites")
    note_start("program", os.getpid())
    for word in sys.argv:
        if word.startswith("--lane="):
            take(Lane.parse(word.removeprefix("--lane=")))
    serve()


def note_start(kind: str, pid: int) -> None:
    with LOG.with_suffix(".starts").open("a") as log:
        log.write(f"{pid} {kind}\n")


def take(lane: Lane) -> None:
    """Fork the session of a lane, or leave it without one."""
    pid = 0 if "no-lanes" in sys.argv else os.fork()
    if pid:
        note_start("lane", pid)
    elif "no-lanes" not in sys.argv:
        os.setsid()
        os.dup2(lane.requests, 0)
        os.dup2(lane.replies, 1)
        lane.close()
        os.write(1, msgspec.json.encode(Hello(os.getpid())) + b"\n")
        serve()
        os._exit(0)
    lane.close()


def serve() -> None:
    decoder = msgspec.json.Decoder(Request)
    for line in sys.stdin.buffer:
        request = decoder.decode(line)
        reply = Reply(request.id, grade(request), {"add/one": 42.0})
        sys.stdout.buffer.write(msgspec.json.encode(reply) + b"\n")
        sys.stdout.buffer.flush()


def grade(request: Request) -> SubmissionResult:
    exercises = {}
    for name in request.exercises:
        source = request.submission.files.get(name)
        text = source.text if source else "absent"
        with LOG.open("a") as log:
            log.write(f"{os.getpid()} {request.id} {name}\n")
        exercises[name] = behave(text.split(), text)
        if text == "limits":
            told = msgspec.json.encode(request.limits).decode()
            exercises[name].checks[0].message = told
        if text == "agreed":
            agreed = (request.time_factor, request.submission.aliases)
            told = msgspec.json.encode(agreed).decode()
            exercises[name].checks[0].message = told
    return SubmissionResult(
        submission=request.id,
        status="graded",
        score=None,
        max_score=Decimal(0),
        exercises=exercises,
        wall_s=time.time() % 1,
    )


def behave(words: list[str], text: str) -> ExerciseResult:
    word, rest = words[0], words[1:]
    if word == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "die-once":
        marker = Path(rest[0])
        if not marker.exists():
            marker.touch()
            sys.exit("boom: out of memory")
    if word == "hang":
        signal.pause()
    if word == "garbage":
        os.write(1, b"not json\n")
    if word == "wrong-id":
        os.write(1, b'{"id": "somebody else"}\n')
    if word == "wait-for":
        while not Path(rest[0]).exists():
            time.sleep(0.005)
    outcome = Outcome.GRADER_ERROR if word == "fault" else Outcome.PASSED
    points = Decimal(rest[0]) if word == "points" else Decimal(len(text) % 10)
    check = CheckResult(
        id="one",
        title="One holds.",
        public=True,
        points=points,
        max_points=Decimal(99),
        outcome=outcome,
    )
    score = Decimal(0) if word == "fault" else points
    return ExerciseResult("", score, Decimal(99), "partial", [check])


if __name__ == "__main__":
    main()
