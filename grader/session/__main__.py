"""A session as a process: one request a line comes in, one reply a line goes out.

    python -m grader.session --course DIR --isolation LEVEL < requests > replies

With --lane it forks further sessions once it is ready, see ``session.lanes``;
with --shelf it shares what it learns of mistakes with whoever has the same folder.
It starts the zygote before it imports torch, so that both import at once.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

import msgspec

from grader.course import load_course
from grader.errors import GraderError
from grader.session.core import HERE, seat
from grader.session.protocol import Lane, Reply, Request
from grader.session.start import Session

if TYPE_CHECKING:
    from grader.session.grade import Grader
    from grader.session.workers.exchange import Workers

# A suite may make much of an answer, but never so much that others suffer.
MEMORY_BYTES = 4 << 30  # beyond what a warm session has
_encoder = msgspec.json.Encoder(decimal_format="string")
_requests = msgspec.json.Decoder(Request)


def main(argv: list[str] | None = None) -> int:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser(prog="grader.session", description=__doc__)
    parser.add_argument("--course", type=Path, required=True)
    parser.add_argument("--isolation", default="none")
    parser.add_argument("--public-only", action="store_true")
    parser.add_argument("--lane", action="append", default=[], dest="lanes")
    parser.add_argument("--shelf", type=Path)
    options = parser.parse_args(argv)
    # Whatever prints in this process must not land among the replies.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        course = load_course(options.course)
        names, level = list(course.exercises), options.isolation
        with Session(course, names, level, options.public_only) as session:
            session.run(lambda grader: _serve(grader, out, options), warm=True)
    except GraderError as e:
        print(f"session: {e}", file=sys.stderr)
        return e.exit_code
    return 0


def limit_memory(beyond: int) -> None:
    """Let this process take so many bytes more, where the system can say so."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # not on Windows

        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        set_before = [n for n in (soft, hard) if n != resource.RLIM_INFINITY]
        if all(used + beyond < n for n in set_before):
            resource.setrlimit(resource.RLIMIT_AS, (used + beyond, hard))


def _serve(grader: Grader, out: IO[bytes], options: argparse.Namespace) -> None:
    limit_memory(MEMORY_BYTES)
    lanes = options.lanes
    if options.shelf is not None:
        from grader.session.naming.learned import Shelf  # torch is imported, if used

        grader.shelf = Shelf(options.shelf)
    # Alone, or started anew in the middle of a batch, it sits where it is.
    seats = [seat(number) for number in range(len(lanes) + 1)] if lanes else [HERE]

    def loop(
        number: int, workers: Workers, requests: IO[bytes], replies: IO[bytes]
    ) -> None:
        grader.workers = workers
        grader.core = seats[number]
        if grader.shelf is not None:
            grader.shelf.from_end = number % 2 == 1
        _loop(grader, requests, replies)

    if lanes:
        from grader.session.lanes import open_lanes

        open_lanes([*map(Lane.parse, lanes)], grader.workers, out, loop)
    loop(0, grader.workers, sys.stdin.buffer, out)


def _loop(grader: Grader, requests: IO[bytes], out: IO[bytes]) -> None:
    for line in requests:
        request = _requests.decode(line)
        grader.use(request.seed, request.limits, request.time_factor)
        result = grader.grade(request.submission, request.exercises)
        reply = Reply(request.id, result, grader.limits.per_check)
        out.write(_encoder.encode(reply) + b"\n")
        out.flush()


if __name__ == "__main__":
    sys.exit(main())
