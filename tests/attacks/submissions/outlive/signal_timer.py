"""Lets a timer signal write a file later.

tries = 'lets a timer signal write a file later'
stops = 'nothing can be written'
seen = ['none']
mark = 'file'
points = 100
"""

import signal


def leave(number, frame):
    try:
        open("@MARK@", "w").close()
    except OSError:
        pass


signal.signal(signal.SIGVTALRM, leave)
signal.setitimer(signal.ITIMER_VIRTUAL, 0.02)


def square(x):
    import time

    start = time.process_time()
    while time.process_time() - start < 0.05:
        pass
    return x * x
