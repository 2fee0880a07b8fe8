"""Starts a program in a session of its own.

tries = 'starts a program in a session of its own'
stops = 'seccomp'
seen = ['none']
mark = 'process'
points = 100
"""

import subprocess

try:
    null = subprocess.DEVNULL
    subprocess.Popen(
        ["/bin/sleep", "30"], start_new_session=True, stdin=null, stdout=null, stderr=null
    )
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
