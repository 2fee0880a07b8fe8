"""Sleeps.

tries = 'sleeps'
stops = 'the wall limit of a check'
seen = ['budget']
mark = 'said'
points = 70
reason = 'waiting'
"""

import time


def first(x):
    return not isinstance(x, str) and tuple(x.shape) == (3,)


def square(x):
    if first(x):
        time.sleep(2.5)
        print("@SAID@"[::-1])
    return x * x
