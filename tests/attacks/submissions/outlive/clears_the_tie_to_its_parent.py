"""Clears the signal that ends it with its parent and hides from its group.

tries = 'clears the signal that ends it with its parent and hides from its group'
stops = 'seccomp, a pid namespace'
seen = ['none']
mark = 'process'
points = 100
"""

import ctypes
import os
import time

libc = ctypes.CDLL(None)
libc.prctl(1, 0, 0, 0, 0)
try:
    child = os.fork()
    if child == 0:
        libc.prctl(1, 0, 0, 0, 0)
        os.setsid()
        os.closerange(0, 200)
        time.sleep(30)
        os._exit(0)
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
