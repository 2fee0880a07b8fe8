"""Asks whether it may signal every process.

tries = 'asks whether it may signal every process'
stops = 'seccomp'
seen = ['none']
mark = 'said'
points = 100
"""

import os

try:
    os.kill(-1, 0)
    print("@SAID@"[::-1])
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
