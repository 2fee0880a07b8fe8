"""Leaves an answer for others (mailbox in a folder).

tries = 'leaves an answer for others (mailbox in a folder)'
stops = 'a scratch of its own that dies with the worker; no writing elsewhere'
seen = ['none']
mark = 'neighbour'
points = 100
"""

import os
import tempfile

try:
    with open("@FOLDER@/mail", "w") as file:
        file.write("the answer")
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
