"""Closes every descriptor that it has, the channel too.

tries = 'closes every descriptor that it has, the channel too'
stops = 'a process of its own; how it ended is told apart'
seen = ['in_process']
mark = 'lost'
points = 70
reason = 'ended|in the middle'
"""

import os


def first(x):
    return not isinstance(x, str) and tuple(x.shape) == (3,)


def square(x):
    if first(x):
        os.closerange(0, 200)
    return x * x
