"""Lets a timer end its process in the middle.

tries = 'lets a timer end its process in the middle'
stops = 'a process of its own; how it ended is told apart'
seen = ['in_process']
mark = 'lost'
points = 70
reason = 'SIGVTALRM|ended by'
"""

import signal
import time


def first(x):
    return not isinstance(x, str) and tuple(x.shape) == (3,)


def square(x):
    if first(x):
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.02)
        start = time.process_time()
        while time.process_time() - start < 0.2:
            pass
    return x * x
