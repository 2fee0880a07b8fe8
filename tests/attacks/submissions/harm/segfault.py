"""Reads address 0.

tries = 'reads address 0'
stops = 'a process of its own; how it ended is told apart'
seen = ['in_process']
mark = 'lost'
points = 70
reason = 'segmentation fault'
"""

import ctypes


def first(x):
    return not isinstance(x, str) and tuple(x.shape) == (3,)


def square(x):
    if first(x):
        ctypes.string_at(0)
    return x * x
