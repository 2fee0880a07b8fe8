"""Measuring and printing: medians, memory, one line for each figure."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from pathlib import Path


def line(name: str, value: str, aim: str = "") -> None:
    """Print one figure, with what it should be where that is known."""
    print(f"  {name:<58} {value:>14}" + (f"   (aim: {aim})" if aim else ""), flush=True)


def heading(text: str) -> None:
    """Print the head of a group of figures."""
    print(f"\n{text}", flush=True)


def seconds(work: Callable[[], object]) -> float:
    """Wall seconds of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def alternate(
    rounds: int, *works: Callable[[], object], first: int = 1
) -> list[list[float]]:
    """Seconds of each of ``works``, taken in turns so that noise hits all alike.

    Args:
        rounds: measured rounds.
        works: what to compare.
        first: rounds before them that are not counted.
    """
    taken: list[list[float]] = [[] for _ in works]
    for round_ in range(first + rounds):
        for kept, work in zip(taken, works, strict=True):
            spent = seconds(work)
            if round_ >= first:
                kept.append(spent)
    return taken


def median(values: list[float]) -> float:
    """The middle one."""
    return statistics.median(values)


def each(count: int, work: Callable[[], object]) -> float:
    """Seconds of one call, from the median of five stretches of ``count``."""

    def stretch() -> None:
        for _ in range(count):
            work()

    stretch()
    gc.collect()
    return median([seconds(stretch) for _ in range(5)]) / count


def in_words(spent_s: float) -> str:
    """1.23 s, 45.6 ms or 78 µs."""
    if spent_s >= 1:
        return f"{spent_s:.2f} s"
    return f"{spent_s * 1e3:.1f} ms" if spent_s >= 1e-3 else f"{spent_s * 1e6:.0f} µs"


def resident_mib(pid: int) -> float:
    """Resident memory of one process (Linux)."""
    return _memory_mib(str(pid), "VmRSS:")


def peak_mib() -> float:
    """The most that this process ever had resident (Linux).

    ``getrusage`` would count what its parent had as it forked.
    """
    return _memory_mib("self", "VmHWM:")


def _memory_mib(process: str, which: str) -> float:
    for entry in Path(f"/proc/{process}/status").read_text().splitlines():
        if entry.startswith(which):
            return int(entry.split()[1]) / 1024
    return 0.0


def children(pid: int) -> list[int]:
    """Processes that ``pid`` started and that still live (Linux)."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]
