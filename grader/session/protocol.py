"""One line of JSON to a session, one line back."""

from __future__ import annotations

import msgspec

from grader.course import Limits
from grader.results import SubmissionResult
from grader.submission import Submission


class Request(msgspec.Struct):
    """Grade ``exercises`` of ``submission``."""

    id: str
    submission: Submission
    exercises: list[str]
    seed: str
    limits: Limits


class Reply(msgspec.Struct):
    """The answer to the request of the same id."""

    id: str
    result: SubmissionResult
