"""Loops in threads while the main one waits.

tries = 'loops in threads while the main one waits'
stops = 'CPU time of all threads counts'
seen = ['budget']
mark = 'said'
points = 70
reason = 'computing|waiting'
"""

import threading
import time


def first(x):
    return not isinstance(x, str) and tuple(x.shape) == (3,)


def burn(end):
    while time.process_time() < end:
        pass


def square(x):
    if first(x):
        end = time.process_time() + 1.5
        threads = [threading.Thread(target=burn, args=(end,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print("@SAID@"[::-1])
    return x * x
