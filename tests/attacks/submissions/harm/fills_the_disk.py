"""Writes 80 MiB.

tries = 'writes 80 MiB'
stops = 'the size of the scratch; no writing elsewhere'
seen = ['none']
mark = 'said'
points = 100
"""

import os
import tempfile

written, block = 0, bytes(1 << 20)
for folder in (tempfile.gettempdir() if os.path.isdir("/scratch") else "@FOLDER@", "@FOLDER@"):
    for i in range(4):
        path = os.path.join(folder, f"hostile-{i}")
        try:
            with open(path, "wb") as file:
                for _ in range(20):
                    written += file.write(block)
        except OSError as e:
            print("stopped", type(e).__name__)
    if written >= 80 << 20:
        print("@SAID@"[::-1])
        break
for i in range(4):
    try:
        os.unlink(os.path.join("@FOLDER@", f"hostile-{i}"))
    except OSError:
        pass


def square(x):
    return x * x
