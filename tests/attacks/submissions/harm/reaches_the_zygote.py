"""Asks whether it may signal the process that made it.

tries = 'asks whether it may signal the process that made it'
stops = 'seccomp, Landlock, a pid namespace'
seen = ['none']
mark = 'said'
points = 100
"""

import os

try:
    os.kill(os.getppid(), 0)
    print("@SAID@"[::-1])
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
