"""Maps 700 MiB of shared memory.

tries = 'maps 700 MiB of shared memory'
stops = 'the limit on address space'
seen = ['none']
mark = 'said'
points = 70
reason = 'OSError|memory'
"""

import mmap


def first(x):
    return not isinstance(x, str) and tuple(x.shape) == (3,)


def square(x):
    if first(x):
        kept = mmap.mmap(-1, 700 << 20)
        print("@SAID@"[::-1])
    return x * x
