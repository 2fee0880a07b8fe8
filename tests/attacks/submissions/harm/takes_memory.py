"""Takes 700 MiB.

tries = 'takes 700 MiB'
stops = 'the limit on address space'
seen = ['none', 'budget']
mark = 'said'
points = 70
reason = 'MemoryError'
"""

def first(x):
    return not isinstance(x, str) and tuple(x.shape) == (3,)


def square(x):
    if first(x):
        kept = bytearray(700 << 20)
        print("@SAID@"[::-1])
    return x * x
