"""What a coordinator and a session say to each other: one JSON line a message.

Both are ours; the session is a process of its own so that a fault in it loses
one submission's try and no batch.
"""

from __future__ import annotations

import msgspec

from grader.results import SubmissionResult
from grader.submission import Submission


class Request(msgspec.Struct):
    """Grade ``exercises`` of ``submission``."""

    id: int
    submission: Submission
    exercises: list[str]


class Reply(msgspec.Struct):
    """The result of the request with the same id."""

    id: int
    result: SubmissionResult


class Hello(msgspec.Struct):
    """The session's first line: it is warm.

    ``limits`` are the CPU seconds a check may use on this host, by
    "exercise/check", measured or as they were given.
    """

    isolation: str
    versions: dict[str, str]
    limits: dict[str, float]
    error: str = ""


class Settings(msgspec.Struct):
    """The coordinator's first line: what holds for every submission."""

    course: str
    exercises: list[str]
    seed: str
    isolation: str = "none"
    limits: dict[str, float] | None = None
    time_factor: float = 1.0
