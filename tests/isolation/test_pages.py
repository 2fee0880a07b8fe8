"""Large pages under what is warm: a fork copies less; nothing else changes."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import sys
from grader.worker import pages

def large_kib():
    with open("/proc/self/smaps_rollup") as f:
        return next(int(l.split()[1]) for l in f if l.startswith("AnonHugePages"))

kept = [bytearray(b"x" * (1 << 20)) for _ in range(96)]
before = large_kib()
large = pages.LargePages()
for _ in range(int(sys.argv[1])):
    large.count_fork()
print(large_kib() - before, all(k == b"x" * (1 << 20) for k in kept))
"""


def gathered(forks: int) -> tuple[int, bool]:
    """KiB in large pages after so many forks; whether memory holds what it held."""
    command = [sys.executable, "-c", SCRIPT, str(forks)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    kib, same = done.stdout.split()
    return int(kib), same == "True"


def can_gather() -> bool:
    """Since Linux 6.1, on a kernel built with large pages."""
    return sys.platform.startswith("linux") and gathered(24)[0] > 0


@pytest.mark.skipif(not can_gather(), reason="this kernel gathers no pages on request")
def test_memory_is_gathered_once_so_many_workers_were_forked():
    few, same = gathered(23)
    assert (few, same) == (0, True)
    many, same = gathered(24)
    assert many > 32 * 1024
    assert same
