"""Changes the mode of a hidden file.

tries = 'changes the mode of a hidden file'
stops = 'namespaces, seccomp'
seen = ['none']
mark = 'file'
points = 100
"""

import os

try:
    os.chmod("@VICTIM@", 0o600)
    os.rename("@VICTIM@", "@MARK@")
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
