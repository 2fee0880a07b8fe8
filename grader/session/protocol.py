"""What a coordinator and a session say to each other: one JSON line a message.

Both are ours; the session is a process of its own so that a fault in it loses
one submission's try and no batch.
"""

from __future__ import annotations

import os
from typing import NamedTuple

import msgspec

from grader.results import SubmissionResult
from grader.submission import Submission


class Request(msgspec.Struct):
    """Grade ``exercises`` of ``submission``.

    ``limits`` are CPU seconds a check may use, by "exercise/check", as an
    earlier reply of this gradebook gave them; without them the session measures
    the references on this host.
    """

    id: str
    submission: Submission
    exercises: list[str]
    seed: str = ""
    limits: dict[str, float] | None = None
    time_factor: float = 1.0


class Reply(msgspec.Struct):
    """The result of the request with the same id, and the limits it was run with."""

    id: str
    result: SubmissionResult
    limits: dict[str, float] = msgspec.field(default_factory=dict)


class Hello(msgspec.Struct):
    """The first line of a lane: who answers on it."""

    pid: int


class Lane(NamedTuple):
    """Where a session reads requests, writes replies and complains."""

    requests: int
    replies: int
    errors: int

    @classmethod
    def parse(cls, text: str) -> Lane:
        """The inverse of ``str``."""
        return cls(*map(int, text.split(",")))

    def __str__(self) -> str:
        """As it stands in a command line."""
        return ",".join(map(str, self))

    def close(self) -> None:
        """Close all three."""
        for fd in self:
            os.close(fd)
