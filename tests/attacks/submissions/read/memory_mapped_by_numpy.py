"""Lets numpy map a hidden file.

tries = 'lets numpy map a hidden file'
stops = 'namespaces, Landlock or no opens at all'
seen = ['none']
mark = 'said'
points = 100
"""

import numpy

try:
    print(bytes(numpy.memmap("@SECRET@", dtype="uint8", mode="r")))
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
