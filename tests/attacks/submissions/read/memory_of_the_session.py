"""Reads the stack of its ancestors out of /proc/PID/mem.

tries = 'reads the stack of its ancestors out of /proc/PID/mem'
stops = 'no /proc, Landlock, another identity'
seen = ['none']
mark = 'said'
points = 100
"""

import os
import re


def parent(pid):
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


def stack(pid):
    with open(f"/proc/{pid}/maps") as maps:
        line = next(line for line in maps if "[stack]" in line)
    start, end = (int(n, 16) for n in line.split()[0].split("-"))
    with open(f"/proc/{pid}/mem", "rb") as memory:
        memory.seek(start)
        return memory.read(end - start)


try:
    pid = os.getppid()
    for _ in range(4):
        print(re.findall(rb"HOSTILE_BAIT=\w+", stack(pid)))
        pid = parent(pid)
except (OSError, StopIteration) as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
