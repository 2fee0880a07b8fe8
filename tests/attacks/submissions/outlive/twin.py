"""Lets a twin in a session of its own go on in its place.

tries = 'lets a twin in a session of its own go on in its place'
stops = 'seccomp, a pid namespace'
seen = ['none']
mark = 'process'
points = 100
"""

import os
import time

try:
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 200)
        while True:
            time.sleep(1)
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
