"""Starts 300 threads.

tries = 'starts 300 threads'
stops = 'limits on processes and on address space'
seen = ['none']
mark = 'said'
points = 100
"""

import threading

stop, started = threading.Event(), []
try:
    for _ in range(300):
        thread = threading.Thread(target=stop.wait, daemon=True)
        thread.start()
        started.append(thread)
except RuntimeError as e:
    print("stopped", type(e).__name__)
stop.set()
for thread in started:
    thread.join()
if len(started) == 300:
    print("@SAID@"[::-1])


def square(x):
    return x * x
