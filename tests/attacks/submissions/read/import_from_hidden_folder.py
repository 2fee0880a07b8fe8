"""Imports a hidden file as a module of its own.

tries = 'imports a hidden file as a module of its own'
stops = 'namespaces, Landlock or no opens at all'
seen = ['none']
mark = 'said'
points = 100
"""

import sys

sys.path.insert(0, "@FOLDER@")
try:
    import hostile_hidden

    print(hostile_hidden.ANSWER)
except ImportError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
