"""Swallows every exception and ignores every signal.

tries = 'swallows every exception and ignores every signal'
stops = 'the limit ends the process from outside'
seen = ['budget']
mark = 'said'
points = 70
reason = 'computing'
"""

import signal
import time


def first(x):
    return not isinstance(x, str) and tuple(x.shape) == (3,)


def square(x):
    if first(x):
        for number in signal.valid_signals() - {9, 19}:
            signal.signal(number, signal.SIG_IGN)
        end = time.process_time() + 1.5
        while time.process_time() < end:
            try:
                while time.process_time() < end:
                    pass
            except BaseException:
                pass
        print("@SAID@"[::-1])
    return x * x
