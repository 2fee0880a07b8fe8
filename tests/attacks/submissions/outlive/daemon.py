"""Leaves a daemon behind.

tries = 'leaves a daemon behind'
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
        if os.fork() == 0:
            os.closerange(0, 200)
            time.sleep(30)
        os._exit(0)
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
