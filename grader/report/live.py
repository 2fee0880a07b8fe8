"""Lines about a lab while it runs. What they say is student code's own claim."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from grader.lang import _
from grader.wire import Note

MOST_LINES = 200  # for each exercise
LEAST_GAP_S = 0.2
LARGEST = 10**9  # a step beyond is no step of anything


class Live:
    """Prints a line for a note: not too often, not too many, numbers only.

    Args:
        write: takes one line.
        clock: seconds that only go up.
    """

    def __init__(
        self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._write = write
        self._clock = clock
        self._lines: dict[str, int] = {}
        self._last = -math.inf

    def tell(self, exercise: str, label: str, note: Note) -> None:
        """One note of ``exercise``; ``label`` is our own word for what is running."""
        count, now = self._lines.get(exercise, 0), self._clock()
        if count > MOST_LINES or now - self._last < LEAST_GAP_S:
            return
        self._lines[exercise] = count + 1
        self._last = now
        if count == MOST_LINES:
            self._write(f"{exercise}: " + _("it goes on without more lines."))
            return
        self._write(f"{exercise}: {label}, {words(note)}")


def words(note: Note) -> str:
    """``step 25 of 400, 0.1234``; odd numbers are named and not repeated."""
    value = f"{note.value:.4g}"
    if not math.isfinite(note.value):
        value = _("not a finite number")
    return _(
        "step {step} of {steps}, loss {value}",
        step=_count(note.step),
        steps=_count(note.steps),
        value=value,
    )


def _count(number: int) -> str:
    return str(number) if 0 <= number <= LARGEST else "?"
