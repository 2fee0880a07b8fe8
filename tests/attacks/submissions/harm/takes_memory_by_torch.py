"""Lets torch take 800 MB.

tries = 'lets torch take 800 MB'
stops = 'the limit on address space'
seen = ['none']
mark = 'said'
points = 70
reason = 'memory'
"""

import torch


def first(x):
    return not isinstance(x, str) and tuple(x.shape) == (3,)


def square(x):
    if first(x):
        kept = torch.empty(200_000_000)
        print("@SAID@"[::-1])
    return x * x
