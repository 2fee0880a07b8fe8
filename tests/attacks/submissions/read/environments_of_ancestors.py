"""Prints the environment of every process it can see.

tries = 'prints the environment of every process it can see'
stops = 'no /proc, Landlock, not dumpable'
seen = ['none']
mark = 'said'
points = 100
"""

import glob

for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        continue
    for part in data.split(b"\0"):
        if part.startswith(b"HOSTILE_BAIT="):
            print(part.decode())


def square(x):
    return x * x
