"""Connects to a socket that has a name and no file.

tries = 'connects to a socket that has a name and no file'
stops = 'seccomp, Landlock, a network namespace'
seen = ['none']
mark = 'connection'
points = 100
"""

import socket

try:
    with socket.socket(socket.AF_UNIX) as s:
        s.connect("\0@ABSTRACT@")
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
