"""Starts 300 threads.

tries = 'starts 300 threads'
stops = 'limits on processes and on address space'
seen = ['none']
mark = 'said'
points = 100
"""

import threading

stop, started = threading.Event(), 0
try:
    for _ in range(300):
        threading.Thread(target=stop.wait, daemon=True).start()
        started += 1
except RuntimeError as e:
    print("stopped", type(e).__name__)
stop.set()
if started == 300:
    print("@SAID@"[::-1])


def square(x):
    return x * x
