"""Calls itself through C until the stack is full.

tries = 'calls itself through C until the stack is full'
stops = 'a process of its own; how it ended is told apart'
seen = ['in_process']
mark = 'lost'
points = 70
reason = 'segmentation fault'
"""

import sys


def first(x):
    return not isinstance(x, str) and tuple(x.shape) == (3,)


def deeper(value):
    return sorted([value], key=deeper)


def square(x):
    if first(x):
        sys.setrecursionlimit(1 << 30)
        deeper(1)
    return x * x
