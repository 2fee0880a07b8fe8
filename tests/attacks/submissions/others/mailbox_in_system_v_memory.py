"""Leaves an answer for others in System V shared memory.

tries = 'leaves an answer for others in System V shared memory'
stops = 'seccomp, an ipc namespace'
seen = ['none']
mark = 'neighbour'
points = 100
"""

import ctypes

libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
identifier = libc.shmget(int("@KEY@"), 4096, 0o1666)
if identifier >= 0:
    address = libc.shmat(identifier, None, 0)
    ctypes.memmove(address, b"the answer", 10)


def square(x):
    return x * x
