"""Connects to this machine.

tries = 'connects to this machine'
stops = 'seccomp, Landlock, a network namespace'
seen = ['none']
mark = 'connection'
points = 100
"""

import socket

try:
    with socket.create_connection(("127.0.0.1", int("@PORT@")), timeout=0.3) as s:
        s.send(b"hello")
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
