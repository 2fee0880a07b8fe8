"""What the coordinator needs from whatever runs the sessions."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Protocol

from grader.course import Course
from grader.errors import EnvironmentFault


class ConnectionLost(EnvironmentFault):
    """Whoever runs the sessions is out of reach.

    Owner: the machines or the network. Seen by: the TA. Points: none; the batch
    stops, what was recorded stays, and the next run goes on from there.
    """


START_S = 120.0  # a cold host imports torch twice


class Backend(Protocol):
    """A place where submissions are graded: this machine, or a cluster.

    Requests and replies are lines of JSON (``grader.session.protocol``).
    """

    @property
    def slots(self) -> int:
        """How many submissions it can grade at the same time."""

    def submit(self, request: bytes) -> Future[bytes]:
        """Grade one submission.

        The future fails with ``SessionDied`` when no session survived it, and
        with ``EnvironmentFault`` when nothing can be graded any more.
        """

    def close(self) -> None:
        """Abandon what is running and free everything; no session outlives it."""


def wall_limit(course: Course) -> float:
    """Seconds after which a session that has not answered is given up.

    The limits inside a session are far below: this is the last of them, for a
    session that itself hangs.
    """
    labs = sum(e.cpu_s or 0.0 for e in course.exercises.values())
    cpu_s = course.limits.submission_cpu_s + labs
    return cpu_s * course.limits.wall_factor + START_S
