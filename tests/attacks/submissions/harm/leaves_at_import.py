"""Leaves while it is imported.

tries = 'leaves while it is imported'
stops = 'an exit is an error of the student'
seen = ['in_process']
mark = 'lost'
points = 0
reason = 'exit code 3'
"""

import os

os._exit(3)


def square(x):
    return x * x
