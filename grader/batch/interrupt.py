"""Ctrl-C as a wish instead of an exception at any line."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that is set by the first SIGINT or SIGTERM.

    The second one raises KeyboardInterrupt, for a person who will not wait.
    Outside of the main thread the signals stay with whoever has them.
    """
    wish = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield wish
        return

    def handle(number: int, frame: FrameType | None) -> None:
        if wish.is_set():
            raise KeyboardInterrupt
        wish.set()

    before = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield wish
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
