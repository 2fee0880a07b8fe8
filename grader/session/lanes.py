"""Further sessions, forked off one that is ready: they cost nothing to start.

Importing torch, collecting the suites and warming up a zygote take some seconds
of two cores. The first session of a batch does it once, for all; each of the
others answers on a lane, three descriptors that the coordinator opened for it.
"""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable
from functools import partial
from typing import IO

import msgspec

from grader.errors import EnvironmentFault
from grader.session.protocol import Hello, Lane
from grader.session.workers.exchange import Workers
from grader.session.workers.zygote import Zygote
from grader.worker.warm import one_thread

# What a session does: its number, its workers, where it reads and answers.
Serve = Callable[[int, Workers, IO[bytes], IO[bytes]], None]


def open_lanes(
    lanes: list[Lane], workers: Workers, replies: IO[bytes], serve: Serve
) -> None:
    """Fork a session for each of ``lanes``; returns in the one that was there.

    A lane that gets none is closed, and whoever waits there starts a session as
    always.

    Args:
        lanes: this process has them open; afterwards it has not.
        workers: of this session; each of the others gets its own.
        replies: where this session answers; none of the others may hold it.
        serve: what a session does until its requests end; the one that was there
            is number 0.
    """
    gc.freeze()  # what is there now is shared, and stays so
    while lanes:
        lane = lanes.pop()
        # A thread would not be there after the fork, and what it locked would be.
        if isinstance(workers, Zygote) and len(os.listdir("/proc/self/task")) == 1:
            with contextlib.suppress(EnvironmentFault, OSError):
                theirs = workers.another(len(lanes) + 1)
                if os.fork() == 0:
                    for other in lanes:
                        other.close()
                    workers.leave()
                    os.close(replies.fileno())
                    _become(lane, theirs, partial(serve, len(lanes) + 1))
                theirs.leave()
        lane.close()


def _become(lane: Lane, workers: Zygote, serve: Callable[..., None]) -> None:
    """Never returns: the session of ``lane``."""
    code = 70
    try:
        os.setsid()  # a kill reaches it and its zygote alone
        one_thread()
        os.dup2(lane.requests, 0)
        os.dup2(lane.errors, 2)
        os.dup2(2, 1)
        with os.fdopen(os.dup(lane.replies), "wb") as replies:
            lane.close()
            replies.write(msgspec.json.encode(Hello(os.getpid())) + b"\n")
            replies.flush()
            with os.fdopen(0, "rb", closefd=False) as requests:
                serve(workers, requests, replies)
        code = 0
    except BaseException as e:  # nothing may go back into the session it was
        os.write(2, f"session: {type(e).__name__}: {e}\n".encode()[:500])
    finally:
        workers.close()
        os._exit(code)
