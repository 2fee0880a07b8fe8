"""Fills files that live in memory.

tries = 'fills files that live in memory'
stops = 'seccomp'
seen = ['none']
mark = 'said'
points = 100
"""

import os

try:
    fd = os.memfd_create("hostile")
    os.ftruncate(fd, 700 << 20)
    print("@SAID@"[::-1])
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
