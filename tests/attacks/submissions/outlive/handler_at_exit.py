"""Leaves a handler for the end of the process.

tries = 'leaves a handler for the end of the process'
stops = 'workers are killed; nothing can be written'
seen = ['in_process', 'at_exit']
mark = 'file'
points = 100
"""

import atexit


def leave():
    try:
        open("@MARK@", "w").close()
    except OSError:
        pass


atexit.register(leave)


def square(x):
    return x * x
