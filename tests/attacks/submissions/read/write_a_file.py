"""Writes a file beside the hidden ones.

tries = 'writes a file beside the hidden ones'
stops = 'namespaces, Landlock, seccomp'
seen = ['none']
mark = 'file'
points = 100
"""

try:
    with open("@MARK@", "w") as file:
        file.write("x")
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
