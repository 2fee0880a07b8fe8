"""Lets a thread write a file later.

tries = 'lets a thread write a file later'
stops = 'nothing can be written'
seen = ['none']
mark = 'file'
points = 100
"""

import threading


def leave():
    try:
        open("@MARK@", "w").close()
    except OSError:
        pass


threading.Timer(0.02, leave).start()


def square(x):
    import time

    time.sleep(0.05)
    return x * x
