"""Writes 120 MiB.

tries = 'writes 120 MiB'
stops = 'the size of the scratch; no writing elsewhere'
seen = ['none']
mark = 'said'
points = 100
"""

import os
import tempfile

written = 0
for folder in (tempfile.gettempdir() if os.path.isdir("/scratch") else "@FOLDER@", "@FOLDER@"):
    for i in range(6):
        path = os.path.join(folder, f"hostile-{i}")
        try:
            with open(path, "wb") as file:
                written += file.write(bytes(20 << 20))
        except OSError as e:
            print("stopped", type(e).__name__)
    if written >= 120 << 20:
        print("@SAID@"[::-1])
        break
for i in range(6):
    try:
        os.unlink(os.path.join("@FOLDER@", f"hostile-{i}"))
    except OSError:
        pass


def square(x):
    return x * x
