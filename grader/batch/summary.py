"""What a batch tells while it runs, and when it is through."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import msgspec


class BatchSummary(msgspec.Struct):
    """What a batch did; while it runs, what it has done so far."""

    run_id: int = 0
    total: int | None = None  # None: nobody knows how many will come
    done: int = 0
    graded: int = 0  # at least one exercise was run
    reused: int = 0  # everything was in the gradebook already
    unreadable: int = 0
    missing: int = 0
    failing: int = 0  # graded, without full points
    grader_errors: list[str] = msgspec.field(default_factory=list)
    identical: list[list[str]] = msgspec.field(default_factory=list)
    interrupted: bool = False
    wall_s: float = 0.0
    message: str = ""


class Done(msgspec.Struct, frozen=True):
    """One submission that the batch is through with, in short.

    ``reused``: nothing was run for it. ``changed``: the gradebook has something
    new about it, so that its report has to be written again.
    """

    submission: str
    status: str
    score: Decimal | None
    max_score: Decimal
    message: str = ""
    reused: bool = False
    changed: bool = False


OnResult = Callable[[Done, BatchSummary], None]
