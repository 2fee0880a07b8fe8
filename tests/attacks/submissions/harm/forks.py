"""Forks ten children.

tries = 'forks ten children'
stops = 'seccomp'
seen = ['none']
mark = 'said'
points = 100
"""

import os

try:
    for _ in range(10):
        if os.fork() == 0:
            os._exit(0)
    print("@SAID@"[::-1])
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
