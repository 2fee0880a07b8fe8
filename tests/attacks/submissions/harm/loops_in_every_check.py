"""Loops in every call.

tries = 'loops in every call'
stops = 'a budget for the whole submission'
seen = ['budget']
mark = 'said'
points = 0
reason = 'whole hand-in'
"""

import time

def square(x):
    end = time.process_time() + 0.6
    while time.process_time() < end:
        pass
    print("@SAID@"[::-1])
    return x * x
