"""Runs a program that prints a hidden file.

tries = 'runs a program that prints a hidden file'
stops = 'seccomp'
seen = ['none']
mark = 'said'
points = 100
"""

import subprocess

try:
    done = subprocess.run(["/bin/cat", "@SECRET@"], capture_output=True)
    print(done.stdout)
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
