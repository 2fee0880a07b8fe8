"""Lets numpy write a file beside the hidden ones.

tries = 'lets numpy write a file beside the hidden ones'
stops = 'namespaces, Landlock, seccomp'
seen = ['none']
mark = 'file'
points = 100
"""

import numpy

try:
    numpy.ones(3).tofile("@MARK@")
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
