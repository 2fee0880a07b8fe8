"""What a check may use, and what is kept of what it prints."""

from __future__ import annotations

KEEP_OUTPUT = 8192  # bytes of head and of tail that a report keeps


class Budget:
    """What one check may use: CPU seconds of the worker and wall seconds.

    Time that the worker stood in the machine's queue does not count: it was
    ready to compute and others were served, so a busy machine ends nothing.
    """

    def __init__(
        self,
        cpu_s: float,
        wall_s: float,
        queued_s: float = 0.0,
        allowed_s: float | None = None,
    ) -> None:
        self.cpu_s = cpu_s  # on the worker's clock
        self.allowed_s = cpu_s if allowed_s is None else allowed_s  # in words
        self.wall_s = wall_s
        self.queued_s = queued_s
        self.waited_s = 0.0

    def left(self, cpu_now_s: float) -> tuple[float, float]:
        """CPU seconds and wall seconds that are left, at least 0."""
        return max(0.0, self.cpu_s - cpu_now_s), max(0.0, self.wall_s - self.waited_s)


class Output:
    """Captured output: the first and the last bytes, the middle counted."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        """Keep what fits."""
        self.total += len(data)
        room = KEEP_OUTPUT - len(self.head)
        self.head += data[:room] if room > 0 else b""
        self.tail = (self.tail + data[max(room, 0) :])[-KEEP_OUTPUT:]

    def take(self) -> str:
        """All that was kept since the last call, as text."""
        lost = self.total - len(self.head) - len(self.tail)
        text = self.head.decode("utf-8", "replace")
        if lost > 0:
            text += f"\n... {lost} bytes left out ...\n"
        text += self.tail.decode("utf-8", "replace")
        self.head, self.tail, self.total = bytearray(), bytearray(), 0
        return text
