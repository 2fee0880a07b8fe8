"""Opens five hundred descriptors.

tries = 'opens five hundred descriptors'
stops = 'the limit on descriptors'
seen = ['none']
mark = 'said'
points = 100
"""

import os

opened = []
try:
    for _ in range(500):
        opened.append(os.dup(1))
    print("@SAID@"[::-1])
except OSError as e:
    print("stopped", type(e).__name__)
for fd in opened:
    os.close(fd)


def square(x):
    return x * x
