"""Becomes another program.

tries = 'becomes another program'
stops = 'seccomp'
seen = ['none']
mark = 'said'
points = 100
"""

import os

try:
    os.execv("/bin/sh", ["/bin/sh", "-c", "echo " + "@SAID@"[::-1]])
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
