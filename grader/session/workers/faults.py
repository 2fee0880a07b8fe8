"""What can end a call to a worker. All but the last are the student's."""

from __future__ import annotations

import builtins

from grader.errors import EnvironmentFault
from grader.wire import Failure

MAX_MESSAGE = 4000


class WorkerFault(Exception):
    """Base: the worker did not answer as it must. Owner: the student."""

    from_student = True
    at_import = False


class WorkerTimeoutError(WorkerFault):
    """The call used up its CPU or wall limit; the worker was killed.

    ``sure``: a wall limit that need not be confirmed by a second try.
    """

    def __init__(self, limit_s: float, wall: bool, sure: bool = False) -> None:
        kind = "seconds of waiting" if wall else "CPU seconds"
        super().__init__(f"stopped after {limit_s:g} {kind}")
        self.limit_s = limit_s
        self.wall = wall
        self.sure = sure


class WorkerCrashedError(WorkerFault):
    """The worker's process ended in the middle of a call."""


class BrokeProtocolError(WorkerFault):
    """The worker answered with something that is no message of ours."""


class WorkerLostError(EnvironmentFault):
    """The worker ended because its zygote did. Nobody's fault: to be tried again."""


class BudgetSpentError(Exception):
    """The submission's whole budget is used up: the check is not run."""


class StudentError(Exception):
    """An exception of student code, as text.

    ``remote_error`` makes one that is also a builtin exception class, so that
    ``pytest.raises(ValueError)`` reads naturally. Never rebuilt by import.
    """

    from_student = True
    at_import = False

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message[:MAX_MESSAGE])
        # A worker may claim any number of them, of any length.
        self.kinds = [kind[:80] for kind in failure.kinds[:20]]
        self.kind = self.kinds[0] if self.kinds else "Exception"
        self.frames = [(f[:200], n, name[:80]) for f, n, name in failure.frames[-30:]]


# Only these may come back to life. KeyboardInterrupt, SystemExit, GeneratorExit
# and everything of pytest's are left out on purpose.
KNOWN = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type)
    and issubclass(kind, Exception)
    and kind not in (Exception, StopIteration, StopAsyncIteration)
    and not issubclass(
        kind, Warning | OSError | UnicodeError | MemoryError | SyntaxError
    )
    and not issubclass(kind, BaseExceptionGroup)
}
_classes: dict[str, type[StudentError]] = {}


def student_error(failure: Failure) -> StudentError:
    """A StudentError that is also the first known builtin among its classes."""
    name = next((k for k in failure.kinds[:20] if k in KNOWN), "")
    if not name:
        return StudentError(failure)
    if name not in _classes:
        _classes[name] = type(f"Student{name}", (StudentError, KNOWN[name]), {})
    return _classes[name](failure)


__all__ = [
    "BrokeProtocolError",
    "BudgetSpentError",
    "EnvironmentFault",
    "StudentError",
    "WorkerCrashedError",
    "WorkerFault",
    "WorkerLostError",
    "WorkerTimeoutError",
    "student_error",
]
