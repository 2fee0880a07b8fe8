"""Leaves an answer for others (mailbox in temporary files).

tries = 'leaves an answer for others (mailbox in temporary files)'
stops = 'a scratch of its own that dies with the worker; no writing elsewhere'
seen = ['none']
mark = 'neighbour'
points = 100
"""

import os
import tempfile

try:
    with open(os.path.join(tempfile.gettempdir() if os.path.isdir("/scratch") else "/tmp", "hostile-mail-@ID@"), "w") as file:
        file.write("the answer")
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
