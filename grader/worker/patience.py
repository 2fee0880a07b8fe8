"""Runs beside student code: says where it is before its time is up.

The session ends what takes too long from outside, and cannot see where it was.
So a little before, a timer prints the line that is running. It only explains:
code that defies the timer loses nothing but the explanation.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from types import FrameType

STILL = "still running: "


class TookTooLongError(BaseException):
    """A part of the hand-in that has used up its share of the time."""


TIMERS: tuple[tuple[int, int], ...] = ()
if hasattr(signal, "setitimer"):  # not on Windows
    TIMERS = (
        (signal.SIGPROF, signal.ITIMER_PROF),
        (signal.SIGALRM, signal.ITIMER_REAL),
    )


def _arm(seconds: tuple[float, float], handler: Callable[..., None]) -> None:
    """Start both timers, but none whose signal somebody else takes."""
    for (number, timer), after_s in zip(TIMERS, seconds, strict=False):
        if signal.getsignal(number) == handler:
            signal.setitimer(timer, max(after_s, 0.001))


def _stop() -> None:
    for _, timer in TIMERS:
        signal.setitimer(timer, 0)


class Watch:
    """Prints the student's innermost line when a request takes long.

    Args:
        is_own: whether a file name of a frame is the hand-in's.
    """

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        self._is_own = is_own
        # Once, before a line of the hand-in runs: what it takes over is its own.
        for number, _ in TIMERS:
            signal.signal(number, self._tell)

    def start(self, cpu_s: float, wall_s: float) -> None:
        """Say where the code is after so long; replaces an earlier start."""
        _arm((cpu_s, wall_s), self._tell)

    def _tell(self, number: int, frame: FrameType | None) -> None:
        while frame is not None and not self._is_own(frame.f_code.co_filename):
            frame = frame.f_back
        if frame is not None:
            code = frame.f_code
            where = f"{code.co_filename}, line {frame.f_lineno}, in {code.co_name}"
            os.write(2, f"\n{STILL}{where}\n".encode("utf-8", "replace"))


@contextlib.contextmanager
def at_most(cpu_s: float, wall_s: float) -> Iterator[None]:
    """Raise in the block when it takes longer.

    Raises:
        TookTooLongError: so that what comes after the block still runs.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        _stop()
        kind = "computing" if number == signal.SIGPROF else "waiting"
        limit = cpu_s if number == signal.SIGPROF else wall_s
        raise TookTooLongError(f"stopped after {limit:.3g} s of {kind}")

    before = [signal.signal(number, stop) for number, _ in TIMERS]
    _arm((cpu_s, wall_s), stop)
    try:
        yield
    finally:
        _stop()
        for (number, _), handler in zip(TIMERS, before, strict=True):
            if signal.getsignal(number) is stop:  # else the block took it over
                signal.signal(number, handler or signal.SIG_DFL)
