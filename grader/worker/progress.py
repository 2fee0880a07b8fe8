"""Runs beside student code: tells the session how far a long computation is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grader import wire


class Reporter:
    """What student code calls every now and then: ``report(step, steps, loss)``.

    The session shows it while it waits. It stops reading after so many notes,
    so this one stops sending before.
    """

    def __init__(self, tell: Callable[[bytes], None]) -> None:
        self._tell = tell
        self._left = wire.MAX_NOTES

    def __call__(self, step: Any, steps: Any, value: Any) -> None:
        """``step`` of ``steps`` is done, and ``value`` (a number) came out."""
        note = wire.Note(int(step), int(steps), float(value))
        if self._left > 0:
            self._left -= 1
            self._tell(wire.note_frame(note))
