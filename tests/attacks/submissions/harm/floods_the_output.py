"""Prints twelve megabytes.

tries = 'prints twelve megabytes'
stops = 'head and tail of the output are kept, the middle is counted'
seen = ['output']
mark = 'flood'
points = 100
"""

for _ in range(12):
    print("x" * 1_000_000)


def square(x):
    return x * x
