"""Loops while it is imported.

tries = 'loops while it is imported'
stops = 'the limit covers the import; the second time stands for all'
seen = ['budget']
mark = 'said'
points = 0
reason = 'computing'
"""

import time

end = time.process_time() + 1.5
while time.process_time() < end:
    pass
print("@SAID@"[::-1])


def square(x):
    return x * x
