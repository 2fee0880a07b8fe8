"""Leaves an answer for others (mailbox in shared memory).

tries = 'leaves an answer for others (mailbox in shared memory)'
stops = 'a scratch of its own that dies with the worker; no writing elsewhere'
seen = ['none']
mark = 'neighbour'
points = 100
"""

import os
import tempfile

try:
    with open("/dev/shm/hostile-mail-@ID@", "w") as file:
        file.write("the answer")
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
