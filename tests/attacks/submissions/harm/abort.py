"""Aborts.

tries = 'aborts'
stops = 'a process of its own; how it ended is told apart'
seen = ['in_process']
mark = 'lost'
points = 70
reason = 'SIGABRT'
"""

import os


def first(x):
    return not isinstance(x, str) and tuple(x.shape) == (3,)


def square(x):
    if first(x):
        os.abort()
    return x * x
